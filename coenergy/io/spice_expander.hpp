#pragma once
#include <list>
#include <map>
#include <memory_resource>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "coenergy/io/spice.hpp"
#include "coenergy/io/spice_cards.hpp"

namespace coenergy::io::spice {

/// The netlist itself or one use of a subcircuit.
struct Instance {
  const Definition* definition = nullptr;
  const Instance* outer = nullptr;              ///< instance of the definition that encloses this one's
  const Instance* user = nullptr;               ///< instance in which it stands
  std::string prefix;                           ///< of names inside: "X1_"
  std::map<std::string, std::string> nodes;     ///< pin → node of the model
  std::map<std::string, ExpressionPtr> values;  ///< its parameters, resolved
  double multiplier = 1;                        ///< equal ones in parallel, m= of it and of what it stands in
};

/// One element where it is used.
struct Element {
  const Card* card = nullptr;
  const Instance* instance = nullptr;
  std::string name;  ///< of its component

  const std::vector<Token>& tokens() const { return card->tokens; }
  const Location& where() const { return card->first().where; }
};

class MeasureReader;  ///< of .meas cards

using Entries = std::vector<std::pair<std::string, model::Value>>;

/// Names and values shared by all elements while a netlist becomes a model.
class Expander {
 public:
  Expander(const Cards& cards, Netlist& netlist, ErrorList& errors);
  void run();

  // ---- values
  ExpressionPtr resolve(const Element& e, const ExpressionPtr& value) const;
  ExpressionPtr value(const Element& e, const Token& token) const { return resolve(e, parse_value(token)); }
  /// The number an expression has with the parameters as they stand; refuses signals and time.
  double number(const ExpressionPtr& resolved, const Location& where);
  /// As the user of a model file would write it: "1000 ohm"; "1 V*(…)" where signals are in it.
  model::Value quantity(const Element& e, const ExpressionPtr& resolved, const std::string& unit,
                        const Location& where) {
    return quantity(e, resolved, unit, where, nullptr);
  }
  /// The charge of a capacitor between two nodes of the model, as a function of its own voltage.
  model::Value charge(const Element& e, const ExpressionPtr& resolved, const Location& where, const std::string& p,
                      const std::string& n) {
    const std::pair<std::string, std::string> pins(p, n);
    return quantity(e, resolved, "C", where, &pins);
  }
  model::Value quantity(double value, const std::string& unit, const Location& where) const;

  // ---- names
  std::string node(const Element& e, const Token& token);
  std::string find_node(const Instance& instance, const std::string& name, const Location& where);
  /// The component of an element named from inside an instance; refuses unknown ones.
  std::string find_element(const Instance& instance, const std::string& name, const Location& where) const;
  /// How many elements are in parallel where find_element finds one.
  double multiplier_of(const Instance& instance, const std::string& name) const;
  /// Voltage between two nodes as an expression: "a.v - b.v".
  static std::string voltage(const std::string& p, const std::string& n);
  /// Current through an element that controls another one, as an expression: that of one of those in parallel.
  std::string current(const Element& e, const Token& name) const;
  const ModelCard& find_model(const Element& e, const Token& name, const std::vector<std::string>& kinds) const;

  // ---- output
  model::Component& add(const Element& e, const std::string& suffix, const std::string& type, Entries values);
  std::string add_node(const Element& e, const std::string& suffix);  ///< a node inside an element
  void note(const Location& where, const std::string& text);
  double step() const { return step_; }  ///< of .tran, s; 0 without one
  double stop() const { return stop_; }
  /// A number of .options that elements depend on.
  double option(const std::string& name, double fallback) const {
    const auto place = options_.find(name);
    return place == options_.end() ? fallback : place->second;
  }
  double temperature() const { return temperature_; }  ///< of the circuit, °C
  /// Of the element that is being written, K.
  double element_kelvin() const { return element_kelvin_; }
  void set_element_temperature(double celsius) { element_kelvin_ = celsius + 273.15; }
  bool wants_noise() const { return wants_noise_; }
  double nominal_temperature() const { return nominal_temperature_; }
  void add_source(Netlist::Source source) { netlist_.sources.push_back(std::move(source)); }
  /// Kept where a card asks for noise.
  void add_noise(Netlist::NoiseSource source) {
    if (wants_noise_) netlist_.noise.push_back(std::move(source));
  }
  /// Voltage that .ic gives a node, or nothing.
  std::optional<double> initial_voltage(const std::string& node) const;

 private:
  void read_times();
  void read_early_options();
  void name_parameters();
  void read_parameters();
  void register_names(Instance& instance);
  void begin_instance(const Instance& user, const Card& card);
  void add_error(const Error& error, const Location& where);  ///< the place of what has none itself
  double count_elements(const Definition& d, int depth);
  void check_use(const Instance& user, const Definition& d, const Token& name);
  const std::map<std::string, std::string>& local_nodes(const Definition& d);
  std::map<std::string, double> read_voltages(const std::string& word);
  void read_controls();
  void read_control(const Card& card);
  struct TransientTimes {
    double step = 0, stop = 0, start = 0;
    bool given = false;  ///< uic
    Token stop_text;
    std::optional<Token> step_text, start_text, largest;
  };
  TransientTimes read_transient_times(const Card& card);
  void read_transient(const Card& card);
  void read_options(const Card& card);
  void read_ac(const Card& card);
  void read_dc(const Card& card);
  void read_transfer(const Card& card);
  void read_noise(const Card& card);
  Netlist::Analysis read_output_and_input(const Card& card, Netlist::Analysis::Kind kind, std::size_t& next);
  Netlist::AcAnalysis read_frequencies(const Card& card, std::size_t first);
  void add_start_voltages(const char* entry, const std::map<std::string, double>& voltages);
  void read_plot(const Card& card);
  void read_save(const Card& card);
  void finish_saves();
  void read_measure(const Card& card);
  void read_fourier(const Card& card);
  void finish_measures();  ///< checks the names in expressions of measures
  /// A quantity that a card names: v(a), v(a,b), i(element); in .ac also vm, vp, vdb, vr, vi of it.
  struct Probe {
    std::string signal, part;  ///< part: "", m, p, db, r, i
    std::size_t end;           ///< the token behind it
  };
  /// The quantity at a token; nothing if there is none. Throws for unknown nodes and elements.
  std::optional<Probe> read_probe(const Card& card, std::size_t k);
  friend class MeasureReader;
  std::string add_voltmeter(const Token& word, const Token& p, const Token& n);
  std::string add_expression(const Element& e, const Token& word);
  std::string find_inner(const Token& name, bool is_node);
  void write_element(const Element& e);

  model::Value quantity(const Element& e, const ExpressionPtr& resolved, const std::string& unit, const Location& where,
                        const std::pair<std::string, std::string>* own_pins);
  ExpressionScope make_scope(const Instance& instance) const;
  ExpressionPtr find_name(const Instance& instance, const std::string& name) const;
  ExpressionPtr find_quantity(const std::string& name) const;
  double global_value(const std::string& name, const Location& where);
  std::string_view make_name(const std::string& wanted, const std::string& fallback_prefix);
  std::string_view keep(std::string_view text);

  const Cards& cards_;
  Netlist& netlist_;
  ErrorList& errors_;
  std::list<Instance> instances_;
  /// An element that is yet to be split into words.
  struct Use {
    const Line* line;
    const Instance* instance;
    std::string_view name;
  };
  std::vector<Use> elements_;
  // names, in memory that is given back at once
  using Names = std::pmr::unordered_map<std::string_view, std::string_view>;
  std::pmr::monotonic_buffer_resource memory_;
  Names element_names_{&memory_};                              ///< path in lower case → component
  Names node_names_{&memory_};                                 ///< path in lower case → node of the model
  std::pmr::unordered_set<std::string_view> taken_{&memory_};  ///< names of components and nodes
  std::map<std::string, double> initial_, guess_;              ///< .ic and .nodeset, by node of the model
  std::map<std::string, std::string> parameter_names_;
  std::map<std::string, double> global_values_;
  std::set<std::string> open_globals_;
  // parameters of instances: values found, those being found, and those met while being found
  using InnerName = std::pair<const Instance*, std::string>;
  mutable std::map<InnerName, ExpressionPtr> inner_values_;
  mutable std::set<InnerName> open_, cut_;
  mutable std::size_t work_ = 0;  ///< terms looked at for one element
  bool is_too_large_ = false;
  double total_ = 0;                                                             ///< elements of the subcircuits in use
  std::map<const Definition*, double> sizes_;                                    ///< elements in one use of each
  std::map<const Definition*, std::map<std::string, std::string>> local_nodes_;  ///< in lower case, as written
  std::map<std::pair<std::string, std::string>, std::string> voltmeters_;        ///< nodes → signal
  std::vector<std::string> shown_;                                               ///< signals that cards ask to be shown
  bool saves_all_ = false;
  int expressions_ = 0;  ///< in .meas cards
  bool wants_noise_ = false;
  double step_ = 0, stop_ = 0;
  double temperature_ = 27, nominal_temperature_ = 27, element_kelvin_ = 0;
  std::map<std::string, double> options_;
  std::set<std::string> notes_;
};

// one function for each kind of element, by the first letter of its name
void write_resistor(Expander& x, const Element& e);
void write_capacitor(Expander& x, const Element& e);
void write_inductor(Expander& x, const Element& e);
void write_coupling(Expander& x, const Element& e);
void write_source(Expander& x, const Element& e);             ///< V, I
void write_controlled_source(Expander& x, const Element& e);  ///< E, F, G, H
void write_behavioural_source(Expander& x, const Element& e);
void write_diode(Expander& x, const Element& e);
void write_switch(Expander& x, const Element& e);  ///< S, W
void write_mosfet(Expander& x, const Element& e);
void write_bipolar(Expander& x, const Element& e);
void write_jfet(Expander& x, const Element& e);
void write_line(Expander& x, const Element& e);  ///< T, O

}  // namespace coenergy::io::spice
