#include "coenergy/mechanics/loop_closure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/names.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::Source;
using equations::UnknownInfo;
using equations::Variables;
using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

constexpr double full_turn = 2 * std::numbers::pi;

/// The value of an expression of parameters alone.
double evaluate_constant(const Builder& builder, const Variables& variables, const Expr& e) {
  if (e.is_number()) return e.number();
  const std::vector<Expr> symbols = symbolic::free_symbols(std::span(&e, 1));
  std::vector<double> in;
  for (const Expr& s : symbols) in.push_back(builder.parameter_value(variables.address(s).index));
  const symbolic::NamedExpr output{"value", e};
  return symbolic::evaluate(
      symbolic::Function(symbolic::make_program(symbols, std::span(&output, 1)), symbolic::Engine::interpreter), in)[0];
}

bool depends_on_coordinates(const Variables& variables, const Expr& e) {
  if (e.is_number()) return false;
  for (const Expr& s : symbolic::free_symbols(std::span(&e, 1)))
    if (variables.address(s).source != Source::parameter) return true;
  return false;
}

}  // namespace

bool LoopClosure::share_plane() const {
  if (!same(a_.base(), b_.base())) return false;
  return is_zero(a_.axis()) || is_zero(b_.axis()) || compare_axes(a_.axis(), b_.axis()) != 0;
}

bool LoopClosure::is_planar_revolute() const {
  const std::vector<Motion>& motions = joint_.properties.motions;
  if (motions.size() != 1 || motions[0].kind != Motion::Kind::rotation || !share_plane()) return false;
  const Vec3& normal = is_zero(a_.axis()) ? b_.axis() : a_.axis();
  return !is_zero(normal) && compare_axes(normal, motions[0].axis) != 0;
}

Expr LoopClosure::angle(double start) const {
  const Vec3& axis = joint_.properties.motions[0].axis;
  auto side = [&](const ChainPose& pose) { return is_zero(pose.axis()) ? 0 : compare_axes(pose.axis(), axis); };
  const double value = side(b_) * b_.angle_value() - side(a_) * a_.angle_value();
  return side(b_) * b_.angle() - side(a_) * a_.angle() - full_turn * std::round((value - start) / full_turn);
}

void LoopClosure::move(const std::vector<int>& coordinates, const std::vector<double>& starts) {
  const std::vector<Motion>& motions = joint_.properties.motions;
  for (std::size_t k = 0; k < motions.size(); ++k) {
    if (motions[k].kind == Motion::Kind::spherical) {
      if (k + 1 == motions.size()) return;
      throw Error(joint_.where, joint_.name + ": it closes a loop and moves after its spherical motion; order its " +
                                    "motions so that the spherical one is the last");
    }
    const Expr q = builder_.variables().coordinate(coordinates[k]).q;
    if (motions[k].kind == Motion::Kind::rotation)
      a_.spin(motions[k].axis, q, starts[k]);
    else
      a_.shift(q * motions[k].axis);
  }
}

void LoopClosure::write(const std::vector<int>& coordinates, const std::vector<double>& starts) {
  const bool free_angle = coordinates.empty() && is_planar_revolute();
  if (!free_angle) move(coordinates, starts);
  const Vec3 gap = b_.p() - a_.p();
  const char* axis[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) force_[i] = -add_row(std::string("position ") + axis[i], "N", gap[i]);
  const std::vector<Motion>& motions = joint_.properties.motions;
  const bool spherical =
      std::any_of(motions.begin(), motions.end(), [](const Motion& m) { return m.kind == Motion::Kind::spherical; });
  if (!spherical) write_rotation(free_angle);
}

void LoopClosure::write_rotation(bool free_angle) {
  const char* axis[] = {"x", "y", "z"};
  if (!share_plane()) {
    const Mat3 e = transpose(a_.R()) * b_.R();
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      torque_[i] = -add_row(std::string("rotation ") + axis[i], "N.m", (e(k, j) - e(j, k)) / 2);
    }
    torque_ = b_.R() * torque_;
    return;
  }
  // both sides turn about one axis: two rows vanish, the third is the sum of angles
  dropped_.push_back(joint_.name + " rotation out of the plane (2 rows)");
  if (free_angle) return;
  const Vec3& normal = is_zero(a_.axis()) ? b_.axis() : a_.axis();
  if (is_zero(normal)) {
    add_row("rotation", "N.m", 0);
    return;
  }
  const int side = is_zero(b_.axis()) ? 0 : compare_axes(normal, b_.axis());
  const int own = is_zero(a_.axis()) ? 0 : 1;
  const double value = side * b_.angle_value() - own * a_.angle_value();
  const Expr lambda =
      add_row("rotation", "N.m", side * b_.angle() - own * a_.angle() - full_turn * std::round(value / full_turn));
  torque_ = -lambda * (b_.base() * normal);
}

Expr LoopClosure::add_row(const std::string& what, const char* unit, const Expr& phi) {
  const std::string name = joint_.name + " " + what;
  const Variables& variables = builder_.variables();
  if (!depends_on_coordinates(variables, phi)) {
    const double gap = evaluate_constant(builder_, variables, phi);
    if (std::abs(gap) > 1e-9)
      throw Error(joint_.where, joint_.name + ": the loop cannot close; whatever the joints do, " + what +
                                    " is off by " + format_short(gap) +
                                    "; correct the positions or axes of its joints");
    // the row holds for these numbers only
    if (!phi.is_number())
      for (const Expr& s : symbolic::free_symbols(std::span(&phi, 1)))
        if (const equations::Address at = variables.address(s); at.source == Source::parameter)
          builder_.mark_built_in(at.index, joint_.name + ", whose loop closes for this value only");
    dropped_.push_back(name);
    return 0;
  }
  UnknownInfo info{joint_.name + ".lambda" + std::to_string(++rows_), unit};
  info.owner_size = static_cast<int>(joint_.name.size());
  const int k = builder_.add_multiplier(std::move(info));
  builder_.set_row_name(variables.multiplier(k), name);
  builder_.set_constraint(k, phi);
  return variables.multiplier(k);
}

}  // namespace coenergy::mechanics
