#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coenergy/analyze/measure.hpp"
#include "coenergy/model/model.hpp"

namespace coenergy::io {

namespace spice {
struct Expression;
}

/// A value in the place of one that a netlist gives: of a parameter, `temp`, an element, m1:w, or of a model nmos1:vto.
struct NetlistValue {
  std::string name;  ///< in small letters
  double value = 0;
  Location where;  ///< of what asks for it
};
using NetlistValues = std::vector<NetlistValue>;

/// What a SPICE netlist says, as a model, and what the model cannot hold.
struct Netlist {
  model::Model model;
  std::vector<std::string> notes;  ///< what was left out or understood in a particular way, with file and line
  std::vector<std::pair<std::string, std::string>> nodes;  ///< nodes of the model with the user's names
  /// An independent source: what it is at rest, and in an .ac analysis.
  struct Source {
    std::string component;
    bool is_voltage = true;
    bool is_constant = true;          ///< no function of time
    double dc = 0;                    ///< V or A; of a function of time without a dc value, its value at zero
    double magnitude = 0, phase = 0;  ///< V or A, degrees
  };
  std::vector<Source> sources;
  struct AcAnalysis {
    std::string spacing;  ///< dec, oct, lin
    int points = 0;
    double from = 0, to = 0;                  ///< Hz
    std::vector<double> frequencies() const;  ///< as SPICE counts them
  };
  /// A source or resistor of which the model has the value as a parameter, or a value of the netlist that is read anew.
  struct Sweep {
    std::vector<std::string> names;         ///< for people
    std::string component;                  ///< empty: values of the netlist by these names
    std::vector<std::vector<double>> rows;  ///< a value of each name
  };
  /// What the cards ask for, in their order.
  struct Analysis {
    enum class Kind { op, dc, ac, transient, transfer, noise };
    Kind kind = Kind::op;
    AcAnalysis ac;              ///< also of .noise
    std::vector<Sweep> sweeps;  ///< of a .dc card: one, or two of which the first runs within the second
    Location where;
    std::string output, input;  ///< of .tf and .noise: a signal, and the component of a source
  };
  std::vector<Analysis> analyses;
  /// A current between two nodes that fluctuates; kept where a .noise card asks for it.
  struct NoiseSource {
    enum class Law {
      thermal,  ///< 4 k T/R
      shot,     ///< 2 q |i|
      channel,  ///< 4 k T · 2/3 · g_m, with g_m = −∂i/∂Vto
    };
    Law law = Law::thermal;
    std::string component, p, n;
    std::string current;                ///< the output of the component that is i
    double resistance = 0, kelvin = 0;  ///< ohm; 0: that of the operating point, v/i
    /// In addition flicker·|i|^exponent/f, or flicker·g_m²/f^exponent; A²/Hz.
    double flicker = 0, exponent = 1;
    bool flickers_by_slope = false;
  };
  std::vector<NoiseSource> noise;
  std::vector<std::string> ac_signals, dc_signals;      ///< of .print ac and .print dc
  std::vector<std::string> saved;                       ///< signals that .save keeps; empty: all
  std::unordered_map<std::string, std::string> labels;  ///< signals that results call as the user did: v(a,b)
  /// A signal, or a part of its phasor in .ac: m (magnitude), p (phase, degrees), db, r (real part) and i; "" is r.
  struct Quantity {
    std::string signal, part;
  };
  std::vector<Quantity> quantities;  ///< the columns of measures
  /// A .meas card: a number of the course of an analysis, or an expression of other measures.
  struct Measure {
    std::string name;
    Analysis::Kind analysis = Analysis::Kind::transient;
    analyze::Measure what;
    std::shared_ptr<const spice::Expression> expression;  ///< instead; parameters are in place
    Location where;
    bool is_inner = false;  ///< only what others are made of
  };
  std::vector<Measure> measures;
  /// Values that a .step card goes through, a row of them in each step.
  struct Step {
    std::vector<std::string> names;
    std::vector<std::vector<double>> rows;
    Location where;
  };
  std::vector<Step> steps;  ///< each of the first runs within one of the second, and so on
  /// The name of a signal in results.
  const std::string& label(const std::string& signal) const;
};

/// The value of a measure that is an expression of others, which are known in small letters. Throws Error where one of
/// them has no value.
double compute_measure(const Netlist::Measure& measure, const std::map<std::string, double>& others);

/// The netlist with every independent source at its dc value, as .op, .dc and .ac see it: `.ic` holds no node of them.
model::Model make_dc_model(const Netlist& netlist);

/// Reads a netlist: title, comments (`*`, `;`, `$`), continuations (`+`), elements R L C K V I E F G H B D S W M Q J T O X,
/// `.model`, `.param`, `.func`, `.subckt`, `.include`, `.lib`, `.ic`, `.nodeset`, `.op`, `.dc`, `.tran`, `.ac`,
/// `.tf`, `.noise`, `.four`, `.print`, `.save`, `.meas`, `.step`, `.data`, `.temp`; no difference between capital and small letters; node 0 is the ground.
///
/// An element keeps its name; one inside a subcircuit X1 is X1_R1, a node inside it X1_mid. Names of nodes that are no
/// identifiers become n_…: node 1 is n_1. Global parameters stay parameters of the model. `.tran` becomes the options
/// of the run; without `uic` it starts from the operating point, with the voltages of `.ic` held. Parasitic resistors
/// and capacitors of transistors become components of their own (M1_Cgs).
///
/// What is not understood is refused, every statement with its file, line and column; what does not matter for the
/// model (`.options`, `.control` blocks, …) is left out with a note.
Netlist read_netlist(const std::filesystem::path& path, const NetlistValues& values = {});
/// The same from a text; `file` names it in messages and is where includes are looked for.
Netlist parse_netlist(std::string_view text, const std::string& file, const NetlistValues& values = {});

/// The values of every step, the first card's changing fastest; one step without values where there is no .step card.
std::vector<NetlistValues> list_steps(const Netlist& netlist);

/// A subcircuit of a netlist as if it were one itself; `pins` are its nodes for the outside, in small letters. The
/// parameters of the subcircuit and of the netlist are parameters of the model. Throws Error without a place where there
/// is no such subcircuit.
Netlist read_subcircuit(const std::filesystem::path& path, const std::string& name, std::vector<std::string>& pins);

model::Model read_spice(const std::filesystem::path& path);

}  // namespace coenergy::io
