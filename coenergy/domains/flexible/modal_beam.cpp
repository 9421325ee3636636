#include "coenergy/domains/flexible/modal_beam.hpp"

#include <cmath>
#include <numbers>

#include "coenergy/domains/flexible/lobatto.hpp"
#include "coenergy/domains/flexible/modal_inertia.hpp"

namespace coenergy::domains::flexible {

using model::ModalBody;
using Vector = ModalBody::Vector;

namespace {

constexpr int most_shapes = 12;

/// f, f′, f″ over ξ.
struct Along {
  double f, slope, bend;
};
Along product(const Along& a, const Along& b) {
  return {a.f * b.f, a.slope * b.f + a.f * b.slope, a.bend * b.f + 2 * a.slope * b.slope + a.f * b.bend};
}
/// P_k(2ξ − 1) by (j + 1) P_{j+1} = (2j + 1) s P_j − j P_{j−1}.
Along legendre_along(int k, double xi) {
  Along before{0, 0, 0}, now{1, 0, 0};
  const Along s{2 * xi - 1, 2, 0};
  for (int j = 0; j < k; ++j) {
    const Along next = product(s, now);
    const auto mix = [&](double a, double b) { return ((2 * j + 1) * a - j * b) / (j + 1); };
    const Along after{mix(next.f, before.f), mix(next.slope, before.slope), mix(next.bend, before.bend)};
    before = now, now = after;
  }
  return now;
}

/// What a shape does: v, w, u, ψ.
struct BeamShape {
  enum class Kind { y, z, stretch, twist } kind;
  int number;
  bool hinged;

  Along at(double xi) const {
    const bool bends = kind == Kind::y || kind == Kind::z;
    if (bends && hinged) {
      const double k = (number + 1) * std::numbers::pi;
      return {std::sin(k * xi), k * std::cos(k * xi), -k * k * std::sin(k * xi)};
    }
    const Along start = bends ? Along{xi * xi, 2 * xi, 2} : Along{xi, 1, 0};
    return product(start, legendre_along(number, xi));
  }
  Vector shift(double xi) const {
    const double f = at(xi).f;
    return kind == Kind::y   ? Vector{0, f, 0}
           : kind == Kind::z ? Vector{0, 0, f}
                             : Vector{kind == Kind::stretch ? f : 0, 0, 0};
  }
  /// Sections turn by v′ about z and −w′ about y.
  Vector turn(double xi, double length) const {
    const Along v = at(xi);
    if (kind == Kind::y) return {0, 0, v.slope / length};
    if (kind == Kind::z) return {0, -v.slope / length, 0};
    return {kind == Kind::twist ? v.f : 0, 0, 0};
  }
};

/// The beam in numbers, and the integrals over it.
class ModalBeamMaker {
 public:
  ModalBeamMaker(double length, const SectionProperties& section, std::vector<BeamShape> shapes, bool stiffens)
      : L_(length), s_(section), shapes_(std::move(shapes)), stiffens_(stiffens) {
    // enough points for products of the highest shapes
    constexpr int order = 20, pieces = 8;
    const Quadrature gauss = make_gauss(order);
    for (int p = 0; p < pieces; ++p)
      for (int k = 0; k < order; ++k) {
        at_.push_back((p + (1 + gauss.at[k]) / 2) / pieces);
        weight_.push_back(gauss.weight[k] / 2 / pieces);
      }
  }

  ModalBody make() const {
    ModalBody body;
    const std::size_t n = shapes_.size();
    body.modes = static_cast<int>(n);
    body.stiffness.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)
        if (shapes_[i].kind == shapes_[k].kind)
          for (std::size_t g = 0; g < at_.size(); ++g)
            body.stiffness[i * n + k] += weight_[g] * stiffness(i, k, at_[g]);
    set_inertia(sample(), body);
    return body;
  }

  ModalBody::Place place(const std::string& name, double xi) const {
    ModalBody::Place p{name, {xi * L_, 0, 0}};
    for (const BeamShape& shape : shapes_) {
      p.shift.push_back(shape.shift(xi));
      p.turn.push_back(shape.turn(xi, L_));
    }
    if (stiffens_)
      for (std::size_t i = 0; i < shapes_.size(); ++i)
        for (std::size_t k = 0; k < shapes_.size(); ++k) p.bend.push_back({-draw(i, k, xi), 0, 0});
    return p;
  }

  /// Factors of N, Mx, My, Mz.
  std::array<std::vector<double>, 4> loads(double xi) const {
    std::array<std::vector<double>, 4> factors;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const Along v = shapes_[i].at(xi);
      const BeamShape::Kind kind = shapes_[i].kind;
      factors[0].push_back(kind == BeamShape::Kind::stretch ? s_.EA.number() * v.slope / L_ : 0);
      factors[1].push_back(kind == BeamShape::Kind::twist ? s_.GJ.number() * v.slope / L_ : 0);
      factors[2].push_back(kind == BeamShape::Kind::z ? -s_.EIy.number() * v.bend / (L_ * L_) : 0);
      factors[3].push_back(kind == BeamShape::Kind::y ? s_.EIz.number() * v.bend / (L_ * L_) : 0);
    }
    return factors;
  }

 private:
  double stiffness(std::size_t i, std::size_t k, double xi) const {
    const Along a = shapes_[i].at(xi), b = shapes_[k].at(xi);
    const double cube = L_ * L_ * L_;
    switch (shapes_[i].kind) {
      case BeamShape::Kind::y:
        return s_.EIz.number() * a.bend * b.bend / cube;
      case BeamShape::Kind::z:
        return s_.EIy.number() * a.bend * b.bend / cube;
      case BeamShape::Kind::stretch:
        return s_.EA.number() * a.slope * b.slope / L_;
      case BeamShape::Kind::twist:
        break;
    }
    return s_.GJ.number() * a.slope * b.slope / L_;
  }
  bool bends(std::size_t i) const {
    return shapes_[i].kind == BeamShape::Kind::y || shapes_[i].kind == BeamShape::Kind::z;
  }

  /// ∫₀ˣ φ_i′ φ_k′ dx
  double draw(std::size_t i, std::size_t k, double xi) const {
    if (!bends(i) || shapes_[i].kind != shapes_[k].kind) return 0;
    double sum = 0;
    for (std::size_t g = 0; g < at_.size(); ++g)
      sum += weight_[g] * shapes_[i].at(xi * at_[g]).slope * shapes_[k].at(xi * at_[g]).slope;
    return sum * xi / L_;
  }

  ShapedPoints sample() const {
    ShapedPoints points;
    const std::size_t n = shapes_.size();
    points.shift.resize(n);
    if (stiffens_) points.bend.resize(n * n);
    for (double xi : at_) {
      const ModalBody::Place here = place("", xi);
      points.position.push_back(here.position);
      for (std::size_t i = 0; i < n; ++i) {
        // sections turn with bending, but weigh nothing there
        const Vector &u = here.shift[i], w = bends(i) ? Vector{} : here.turn[i];
        points.shift[i].push_back({u[0], u[1], u[2], w[0], w[1], w[2]});
        for (std::size_t k = 0; k < n && stiffens_; ++k)
          points.bend[i * n + k].push_back({here.bend[i * n + k][0], 0, 0, 0, 0, 0});
      }
    }
    points.weigh = [this](const ShapedPoints::Field& f) {
      const double own[] = {s_.mass.number(), s_.mass.number(), s_.mass.number(),
                            s_.Jx.number(),   s_.Jy.number(),   s_.Jz.number()};
      ShapedPoints::Field weighed = f;
      for (std::size_t g = 0; g < f.size(); ++g)
        for (std::size_t i = 0; i < 6; ++i) weighed[g][i] *= weight_[g] * L_ * own[i];
      return weighed;
    };
    return points;
  }

  double L_;
  SectionProperties s_;
  std::vector<BeamShape> shapes_;
  bool stiffens_;
  std::vector<double> at_, weight_;
};

}  // namespace

void ModalBeam::describe(Description& d) {
  d.name("flexible.ModalBeam", "straight slender beam by a few shapes about a frame that moves with it");
  d.parameter(length, "length", "m", "along x").positive();
  section.describe(d, true);
  d.choice(support, "support", {"clamped", "hinged"}, "the frame moves with the root, or its x goes through both ends");
  d.parameter(bending_y, "bending_y", "", "number of shapes that bend along y").between(0, most_shapes).fallback("2");
  d.parameter(bending_z, "bending_z", "", "number of shapes that bend along z").between(0, most_shapes).fallback("2");
  d.parameter(stretching, "stretching", "", "number of shapes that stretch").between(0, most_shapes).fallback("0");
  d.parameter(torsion, "torsion", "", "number of shapes that twist").between(0, most_shapes).fallback("0");
  d.choice(stiffening, "stiffening", {"centrifugal", "none"},
           "whether bending draws points back, so that forces along the beam stiffen it");
  d.parameter(damping, "damping", "s", "time constant of damping proportional to stiffness")
      .not_negative()
      .fallback("0");
  d.parameter(damping_ratios, "damping_ratios", "", "of the modes with the frame held, the last for all others")
      .not_negative()
      .optional();
  d.parameter(stations, "stations", "", "fractions of the length that are frames s1, s2 …").between(0, 1).optional();
  d.parameter(eta, "eta", "", "start values of the shapes").optional();
  d.parameter(eta_rate, "eta_rate", "1/s", "start rates of the shapes").optional();
  for (model::ParameterInfo& info : d.parameters)
    if (info.structural.empty()) info.structural = "modes are computed from it";
}

void ModalBeam::flexible(Equations& eq, model::FlexibleBody& body) const {
  const bool hinged = eq[support] == "hinged";
  std::vector<BeamShape> shapes;
  const auto add = [&](const Parameter& entry, const char* name, BeamShape::Kind kind) {
    const double count = eq.number(entry);
    if (count != std::floor(count)) eq.refuse(std::string(name) + " must be a whole number");
    for (int k = 0; k < static_cast<int>(count); ++k) shapes.push_back({kind, k, hinged});
  };
  add(bending_y, "bending_y", BeamShape::Kind::y);
  add(bending_z, "bending_z", BeamShape::Kind::z);
  add(stretching, "stretching", BeamShape::Kind::stretch);
  add(torsion, "torsion", BeamShape::Kind::twist);
  const std::string form = section.form(eq);
  if (section.rows(eq) > 1) eq.refuse("a modal beam has one section; BeamBody takes several rows");

  const ModalBeamMaker maker(eq.number(length), BeamSection::compute(form, section.numbers(eq)), shapes,
                             eq[stiffening] == "centrifugal");
  ModalBody modal = maker.make();
  set_damping(eq.numbers(damping_ratios), eq.number(damping), modal);
  const auto read_start = [&](const model::List& entry, const char* name) {
    std::vector<double> values = eq.numbers(entry);
    if (!values.empty() && values.size() != shapes.size())
      eq.refuse(std::string(name) + ": " + std::to_string(values.size()) + " values for " +
                std::to_string(shapes.size()) + " shapes");
    values.resize(shapes.size());
    return values;
  };
  modal.start = read_start(eta, "eta");
  modal.start_rate = read_start(eta_rate, "eta_rate");

  modal.frames = {maker.place("root", 0), maker.place("tip", 1)};
  const std::vector<double> at = eq.numbers(stations);
  const char* names[] = {"N", "Mx", "My", "Mz"};
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::string name = "s" + std::to_string(k + 1);
    modal.frames.push_back(maker.place(name, at[k]));
    const auto factors = maker.loads(at[k]);
    for (int i = 0; i < 4; ++i) modal.outputs.push_back({name + "." + names[i], i == 0 ? "N" : "N.m", factors[i]});
  }
  constexpr int drawn = 16;
  const double radius = section.radius(eq);
  modal.lines.push_back({{}, radius > 0 ? radius : eq.number(length) / 50});
  for (int k = 0; k <= drawn; ++k) {
    modal.points.push_back(maker.place("", static_cast<double>(k) / drawn));
    modal.lines.back().points.push_back(k);
  }
  body.set_modal(std::move(modal));
}

}  // namespace coenergy::domains::flexible
