#include "coenergy/domains/flexible/beam_body.hpp"

#include <cmath>

#include "coenergy/domains/flexible/beam_element.hpp"

namespace coenergy::domains::flexible {

void BeamBody::describe(Description& d) {
  d.name("flexible.BeamBody", "beam along x: geometrically exact elements");
  d.parameter(length, "length", "m", "along the axis").positive();
  d.parameter(elements, "elements", "", "number of elements").between(1, 10000).fallback("4");
  section.describe(d);
  d.parameter(damping, "damping", "s", "time constant of damping proportional to stiffness")
      .not_negative()
      .fallback("0");
  d.parameter(bend, "bend", "rad", "angle of the arc about z, if the relaxed beam is curved")
      .between(-60, 60)
      .fallback("0");
}

namespace {

/// Reference pose of a point at the fraction s of an arc of the given length and angle, which starts along x.
struct ArcPoint {
  std::array<double, 3> position;
  std::array<double, 4> quaternion;
  ArcPoint(double length, double angle, double s) {
    const double a = angle * s, chord = length * s * (a == 0 ? 1 : std::sin(a / 2) / (a / 2));
    position = {chord * std::cos(a / 2), chord * std::sin(a / 2), 0};
    quaternion = {std::cos(a / 2), 0, 0, std::sin(a / 2)};
  }
};

}  // namespace

void BeamBody::flexible(Equations& eq, model::FlexibleBody& body) const {
  const int n = static_cast<int>(eq.number(elements));
  if (n != eq.number(elements)) eq.refuse("elements must be a whole number");
  std::vector<int> nodes;
  for (int k = 0; k <= n; ++k) {
    const ArcPoint point(eq.number(length), eq.number(bend), static_cast<double>(k) / n);
    nodes.push_back(body.add_node(point.position, point.quaternion));
  }
  body.add_frame("root", nodes.front());
  body.add_frame("tip", nodes.back());

  const std::string form = section.form(eq);
  std::vector<Expr> parameters = section.parameters(eq);
  parameters.insert(parameters.end(), {eq[length], eq[bend], eq[damping]});
  auto make = [form, n](model::FlexibleBody::Element& e) {
    const std::vector<Expr>& p = e.parameters;
    const int own = BeamSection::parameter_count(form);
    BeamElement{p[own] / n, p[own + 1] / n, p[own + 2], BeamSection::compute(form, {p.begin(), p.begin() + own})}.write(
        e);
  };
  for (int k = 0; k < n; ++k)
    body.add_element("beam " + form + " " + std::to_string(n), {nodes[k], nodes[k + 1]}, parameters, make);
  const double radius = section.radius(eq);
  body.add_shape_polyline(nodes, radius > 0 ? radius : eq.number(length) / 50);
}

}  // namespace coenergy::domains::flexible
