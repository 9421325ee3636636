#include "coenergy/domains/flexible/beam_body.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "coenergy/domains/flexible/beam_element.hpp"
#include "coenergy/domains/flexible/element_structure.hpp"
#include "coenergy/domains/flexible/modal_structure.hpp"
#include "coenergy/domains/flexible/spectral_beam.hpp"

namespace coenergy::domains::flexible {

void BeamBody::describe(Description& d) {
  d.name("flexible.BeamBody", "beam along x, an arc or a curve: geometrically exact elements");
  d.parameter(points, "points", "m",
              "the line of the beam goes through these points; root is at the first, x along the line, y level")
      .structural("the relaxed line is numbers")
      .optional();
  d.parameter(length, "length", "m", "along the axis").positive().optional().instead_of(points);
  d.parameter(elements, "elements", "", "number of elements, at least one between stations")
      .structural("a count")
      .between(1, 10000)
      .fallback("4");
  d.parameter(order, "order", "", "of the elements: 2, 4, 6 … 12; 2 unless the beam needs 4")
      .structural("it decides which elements the beam has")
      .between(2, 12)
      .optional();
  section.describe(d);
  d.parameter(offset, "offset", "m", "y and z of the centres of the sections beside the line").sizes({2}).optional();
  d.parameter(twist, "twist", "rad", "of the sections about the line, at equal distances along it")
      .structural("the relaxed line is numbers")
      .optional();
  d.parameter(damping, "damping", "s", "time constant of damping proportional to stiffness")
      .not_negative()
      .fallback("0");
  d.parameter(damping_ratio, "damping_ratio", "", "instead of damping: ratio of a mode that has damping_frequency")
      .not_negative()
      .optional()
      .instead_of(damping);
  d.parameter(damping_frequency, "damping_frequency", "Hz", "where damping_ratio holds; it grows with the frequency")
      .positive()
      .optional()
      .used_with(damping_ratio);
  d.parameter(bend, "bend", "rad", "angle of the arc about z, if the relaxed beam is curved")
      .structural("the relaxed line is numbers")
      .between(-60, 60)
      .fallback("0")
      .instead_of(points);
  d.parameter(stations, "stations", "", "fractions of the length that are frames s1, s2 …")
      .structural("it decides where elements meet")
      .between(0, 1)
      .optional();
  d.parameter(modes, "modes", "", "reduces the beam to its frames and this many modes inside, small against its root")
      .structural("a count")
      .between(0, 100)
      .optional();
  d.choice(stiffening, "stiffening", {"centrifugal", "none"},
           "of a reduced beam: whether bending draws points back, so that forces along it stiffen it")
      .used_with(modes);
}

std::vector<Expr> BeamBody::Entries::operator[](const model::List& entry) const {
  if (!as_numbers) return eq[entry];
  const std::vector<double> values = eq.numbers(entry);
  return {values.begin(), values.end()};
}

BeamAxis BeamBody::axis(Equations& eq) const {
  const std::vector<double> through = eq.numbers(points), turned = eq.numbers(twist);
  if (through.empty() && !eq.has(length)) eq.refuse("it needs length, or points");
  if (through.empty()) return BeamAxis::arc(1, eq.number(bend), turned);
  if (through.size() % 3 != 0 || through.size() < 6) eq.refuse("points: two or more points [x, y, z] are needed");
  std::vector<std::array<double, 3>> list;
  for (std::size_t k = 0; k < through.size(); k += 3) {
    list.push_back({through[k], through[k + 1], through[k + 2]});
    if (k > 0 && list.back() == list[list.size() - 2])
      eq.refuse("points: " + std::to_string(k / 3) + " and " + std::to_string(k / 3 + 1) + " are the same");
  }
  return BeamAxis::curve(list, turned);
}

int BeamBody::find_order(Equations& eq) const {
  const bool is_plain =
      !eq.has(points) && !eq.has(twist) && !eq.has(offset) && section.rows(eq) == 1 && section.form(eq) != "matrix";
  if (!eq.has(order)) return is_plain ? 2 : 4;
  const double given = eq.number(order);
  if (given != 2 * std::floor(given / 2)) eq.refuse("order must be 2, 4, 6, 8, 10 or 12");
  if (given == 2 && !is_plain)
    eq.refuse(
        "order 2 is for straight beams and arcs of one section; points, twist, offset, several rows of a section "
        "and matrices need order 4 or more");
  return static_cast<int>(given);
}

Expr BeamBody::find_damping(const Entries& entries) const {
  Equations& eq = entries.eq;
  if (!eq.has(damping_ratio)) return entries[damping];
  if (!eq.has(damping_frequency)) eq.refuse("damping_ratio needs damping_frequency");
  return Expr(eq.number(damping_ratio) / (std::numbers::pi * eq.number(damping_frequency)));
}

BeamMesh BeamBody::mesh(Equations& eq, int degree) const {
  const int n = static_cast<int>(eq.number(elements));
  if (n != eq.number(elements)) eq.refuse("elements must be a whole number");
  std::vector<double> cuts = eq.numbers(stations);
  // sections change their slope where a row is
  const int rows = section.rows(eq);
  for (int k = 1; k + 1 < rows; ++k) cuts.push_back(static_cast<double>(k) / (rows - 1));
  return BeamMesh::make(axis(eq), cuts, n,
                        degree == 1 ? std::vector<double>{0, 1} : SpectralBeam(degree).node_places());
}

void BeamBody::flexible(Equations& eq, model::FlexibleBody& body) const {
  const int degree = find_order(eq) / 2;
  const BeamMesh mesh = this->mesh(eq, degree);
  if (eq.has(modes))
    body.set_modal(reduce(eq, mesh, degree));
  else
    build({eq, false}, mesh, degree, body);
}

void BeamBody::build(const Entries& entries, const BeamMesh& mesh, int degree, model::FlexibleBody& body) const {
  Equations& eq = entries.eq;
  std::vector<int> line;
  for (const BeamAxis::Section& node : mesh.nodes)
    line.push_back(body.add_node(node.position, node.quaternion, unit(entries)));
  body.add_frame("root", line.front());
  body.add_frame("tip", line.back());
  const std::vector<double> at = eq.numbers(stations);
  for (std::size_t k = 0; k < at.size(); ++k) body.add_frame("s" + std::to_string(k + 1), mesh.node_near(at[k]));

  if (degree == 1)
    add_two_node_elements(entries, mesh, body);
  else
    add_spectral_elements(entries, mesh, degree, body);

  // the element behind a station takes what goes through it, the last one at the tip
  for (std::size_t k = 0; k < at.size(); ++k) {
    const int node = mesh.node_near(at[k]), last = static_cast<int>(mesh.elements.size()) - 1;
    int element = 0;
    while (element < last && mesh.elements[element].nodes.front() != node) ++element;
    const bool is_tip = mesh.elements[element].nodes.front() != node;
    body.add_cut("s" + std::to_string(k + 1), element, is_tip ? degree : 0, is_tip ? 1 : -1);
  }
  body.add_shape_polyline(line, section.radius(eq));
}

model::ModalBody BeamBody::reduce(Equations& eq, const BeamMesh& mesh, int degree) const {
  const double count = eq.number(modes);
  if (count != std::floor(count)) eq.refuse("modes must be a whole number");
  ElementStructure elements;
  build({eq, true}, mesh, degree, elements);
  const structures::Structure structure = elements.assemble();
  // a node may have several names
  std::vector<structures::Interface> faces;
  std::vector<std::size_t> face_of;
  for (const auto& [name, node] : elements.frames) {
    std::size_t k = 0;
    while (k < faces.size() && faces[k].nodes[0] != node) ++k;
    if (k == faces.size()) faces.push_back({name, {node}, true, structure.nodes[static_cast<std::size_t>(node)]});
    face_of.push_back(k);
  }
  structures::ComponentModes found;
  try {
    found = structures::compute_component_modes(structure, faces, static_cast<int>(count));
  } catch (const std::runtime_error& error) {
    eq.refuse(error.what());
  }
  ShapedPoints points = sample_structure(structure, found);
  if (eq[stiffening] == "centrifugal") {
    std::vector<std::vector<int>> pieces;
    for (const BeamMesh::Element& element : mesh.elements) pieces.push_back(element.nodes);
    points.bend =
        draw_back(points, pieces, degree == 1 ? std::vector<double>{0, 1} : SpectralBeam(degree).node_places());
  }
  model::ModalBody body;
  const std::size_t n = found.frequency.size();
  body.modes = static_cast<int>(n);
  set_inertia(points, body);
  body.stiffness.assign(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) body.stiffness[k * n + k] = found.frequency[k] * found.frequency[k];
  set_damping({}, find_damping({eq, true}).number(), body);
  body.start.resize(n), body.start_rate.resize(n);

  const auto add_bend = [&](model::ModalBody::Place& place, int node) {
    for (const ShapedPoints::Field& field : points.bend) {
      const ShapedPoints::Twist& g = field[static_cast<std::size_t>(node)];
      place.bend.push_back({g[0], g[1], g[2]});
    }
  };
  for (std::size_t k = 0; k < elements.frames.size(); ++k) {
    const auto& [name, node] = elements.frames[k];
    model::ModalBody::Place place = frame_of(faces[face_of[k]], found.interfaces[face_of[k]]);
    place.name = name;
    place.quaternion = elements.nodes[static_cast<std::size_t>(node)].quaternion;
    add_bend(place, node);
    body.frames.push_back(std::move(place));
  }
  body.lines.push_back(
      {{}, elements.radius > 0 ? elements.radius : axis(eq).length() * unit({eq, true}).number() / 50});
  for (int node : elements.line) {
    body.lines.back().points.push_back(static_cast<int>(body.points.size()));
    body.points.push_back(place_of(structure, found, node));
    add_bend(body.points.back(), node);
  }
  const char* names[] = {"N", "Qy", "Qz", "Mx", "My", "Mz"};
  const char* units[] = {"N", "N", "N", "N.m", "N.m", "N.m"};
  for (const ElementStructure::Cut& cut : elements.cuts) {
    const auto rows = elements.cut_rows(cut.element, cut.node);
    const std::vector<int>& nodes = elements.parts[static_cast<std::size_t>(cut.element)].nodes;
    for (std::size_t i = 0; i < 6; ++i) {
      std::vector<double> factors(n);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t c = 0; c < rows[i].size(); ++c)
          factors[k] += cut.sign * rows[i][c] * points.shift[k][static_cast<std::size_t>(nodes[c / 6])][c % 6];
      body.outputs.push_back({cut.name + "." + names[i], units[i], std::move(factors)});
    }
  }
  return body;
}

Expr BeamBody::unit(const Entries& entries) const { return entries.eq.has(points) ? Expr(1) : entries[length]; }

void BeamBody::add_two_node_elements(const Entries& entries, const BeamMesh& mesh, model::FlexibleBody& body) const {
  Equations& eq = entries.eq;
  const std::string form = section.form(eq);
  std::vector<Expr> parameters = entries.section(section, 0);
  const int own = static_cast<int>(parameters.size());
  // the nodes lie where this angle has them
  parameters.insert(parameters.end(), {entries[length], Expr(eq.number(bend)), find_damping(entries)});
  for (const BeamMesh::Element& element : mesh.elements) {
    // equal elements share a kernel whatever round-off made of their lengths
    const double part = std::round((element.to - element.from) * 1e12) / 1e12;
    auto make = [form, own, part](model::FlexibleBody::Element& e) {
      const std::vector<Expr>& p = e.parameters;
      BeamElement{p[own] * part, p[own + 1] * part, p[own + 2],
                  BeamSection::compute(form, {p.begin(), p.begin() + own})}
          .write(e);
    };
    body.add_element("beam " + form + " " + std::to_string(part), element.nodes, parameters, make);
  }
}

namespace {

/// Numbers of elements, each the same in all of them or a value of each: so they share one kernel.
std::vector<std::vector<Expr>> share_numbers(const std::vector<std::vector<double>>& numbers,
                                             model::FlexibleBody& body) {
  constexpr double same = 1e-11;  // relative: round-off of the positions of nodes far from the origin
  std::vector<std::vector<Expr>> shared(numbers.size());
  for (std::size_t k = 0; k < numbers.front().size(); ++k) {
    double largest = 0, spread = 0;
    for (const std::vector<double>& row : numbers) {
      largest = std::max(largest, std::abs(row[k]));
      spread = std::max(spread, std::abs(row[k] - numbers.front()[k]));
    }
    const bool is_zero = largest < same, is_shared = spread <= same * std::max(largest, 1.0);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      shared[i].push_back(is_zero ? Expr(0) : is_shared ? Expr(numbers.front()[k]) : body.add_value(numbers[i][k]));
  }
  return shared;
}

}  // namespace

void BeamBody::add_spectral_elements(const Entries& entries, const BeamMesh& mesh, int degree,
                                     model::FlexibleBody& body) const {
  Equations& eq = entries.eq;
  const SpectralBeam kind(degree);
  const std::string form = section.form(eq);
  const int rows = section.rows(eq), points = 2 * degree + 1;
  std::vector<double> places = kind.strain_places();
  const std::vector<double> node_places = kind.node_places();
  places.insert(places.end(), node_places.begin(), node_places.end());

  // of each element its shape, then how far each point is from one row of the section to the next
  std::vector<std::vector<double>> numbers;
  std::vector<int> row;
  for (const BeamMesh::Element& element : mesh.elements) {
    numbers.push_back(kind.compute_shape(mesh.nodes_of(element)));
    row.push_back(std::min(rows - 2, static_cast<int>((element.from + element.to) / 2 * (rows - 1))));
    for (int k = 0; k < points && rows > 1; ++k)
      numbers.back().push_back((element.from + (element.to - element.from) * places[k]) * (rows - 1) - row.back());
  }
  const std::vector<std::vector<Expr>> values = share_numbers(numbers, body);
  const std::vector<Expr> beside = eq.has(offset) ? entries[offset] : std::vector<Expr>{0, 0};
  for (std::size_t k = 0; k < mesh.elements.size(); ++k) {
    std::vector<Expr> parameters = values[k];
    const int from = static_cast<int>(parameters.size());
    for (const Expr& e : {find_damping(entries), beside[0], beside[1], unit(entries)}) parameters.push_back(e);
    const std::vector<Expr> here = entries.section(section, std::max(row[k], 0));
    parameters.insert(parameters.end(), here.begin(), here.end());
    if (rows > 1) {
      const std::vector<Expr> next = entries.section(section, row[k] + 1);
      parameters.insert(parameters.end(), next.begin(), next.end());
    }
    const int own = static_cast<int>(here.size());
    auto make = [=](model::FlexibleBody::Element& e) {
      const Expr *p = e.parameters.data(), *sections = p + from + 4;
      const int shape = SpectralBeam::numbers_per_point * degree + degree + 1;
      std::vector<SectionLaw> laws;
      for (int i = 0; i < points; ++i) {
        std::vector<Expr> at(sections, sections + own);
        for (int j = 0; j < own && rows > 1; ++j) {
          const Expr &a = sections[j], &b = sections[own + j];
          at[j] = a.is_number() && b.is_number() && a.number() == b.number() ? a : a + p[shape + i] * (b - a);
        }
        laws.push_back(BeamSection::compute_law(form, at, p[from + 1], p[from + 2]));
      }
      kind.write(kind.scale_shape({p, p + shape}, p[from + 3]), laws, p[from], e);
    };
    body.add_element("spectral beam " + std::to_string(degree) + " " + form + (rows > 1 ? " taper" : ""),
                     mesh.elements[k].nodes, parameters, make);
  }
}

}  // namespace coenergy::domains::flexible
