#pragma once
#include <array>
#include <vector>

namespace coenergy::domains::flexible {

/// The reference line of a beam with the axes of its sections: x along the line, y and z those of the section.
///
/// An arc about z that starts along x, or a curve through points: cubic splines over the lengths of the chords, third
/// derivatives continuous at the second and the last but one. Its first section has y in the plane normal to z (to y
/// where the line starts along z); the others follow without turning about the line (Wang et al. 2008: double
/// reflection). `twist` then turns the sections about x: angles at equal distances along the line, the same splines.
class BeamAxis {
 public:
  struct Section {
    std::array<double, 3> position;
    std::array<double, 4> quaternion;
  };

  static BeamAxis arc(double length, double angle, const std::vector<double>& twist);
  static BeamAxis curve(const std::vector<std::array<double, 3>>& points, const std::vector<double>& twist);

  double length() const { return length_; }
  Section at(double fraction) const;  ///< of the length, 0 … 1

 private:
  using Vector = std::array<double, 3>;
  struct Spline {
    std::vector<double> at, value, second;
    static Spline make(std::vector<double> at, std::vector<double> value);
    double operator()(double u) const;
    double slope(double u) const;
  };
  struct Station {
    double u, length;  // parameter and length up to it
    Vector y;          // of a section that has not been turned about the line
  };
  Vector point(double u) const;
  Vector tangent(double u) const;
  double length_between(double u, double v) const;
  Vector carry(const Vector& y, double from, double to) const;

  double length_ = 0, angle_ = 0;
  Spline twist_;
  std::array<Spline, 3> line_;
  std::vector<Station> stations_;  // empty: an arc
};

}  // namespace coenergy::domains::flexible
