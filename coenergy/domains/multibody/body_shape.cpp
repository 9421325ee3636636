#include "coenergy/domains/multibody/body_shape.hpp"

#include <algorithm>

namespace coenergy::domains::multibody {

void BodyShape::describe(Description& d) {
  d.parameter(box, "shape.box", "m", "lengths along x, y, z").sizes({3}).optional();
  d.parameter(cylinder, "shape.cylinder", "m", "radius and length (along z)").sizes({2}).optional();
  d.parameter(sphere, "shape.sphere", "m", "radius").sizes({1}).optional();
  d.choice(mesh, "shape.mesh", {}, "file with triangles, .stl or .obj, from the folder of the file that says so")
      .optional()
      .file();
  d.parameter(scale, "shape.scale", "", "factors on x, y, z of the mesh")
      .sizes({3})
      .fallback("[1, 1, 1]")
      .used_with(mesh);
  d.parameter(at, "shape.at", "m", "centre of the shape in the body")
      .sizes({3})
      .fallback("[0, 0, 0]")
      .used_with(box, cylinder, sphere, mesh);
  d.parameter(angles, "shape.angles", "rad", "angles of the shape about the body's x, then y, then z: R = Rz Ry Rx")
      .sizes({3})
      .fallback("[0, 0, 0]")
      .used_with(box, cylinder, sphere, mesh);
  d.choice(color, "shape.color",
           {"auto", "grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "white", "black"}, "color")
      .used_with(box, cylinder, sphere, mesh);
}

std::vector<Shape> BodyShape::make(Equations& eq) const {
  std::vector<Shape> shapes;
  auto fill = [&](const List& from, std::array<double, 3>& to) {
    const std::vector<double> values = eq.numbers(from);
    std::copy(values.begin(), values.end(), to.begin());
  };
  auto add = [&](const char* kind, const List& size) {
    Shape shape;
    shape.kind = kind;
    fill(size, shape.size);
    for (double x : eq.numbers(size))
      if (x <= 0) eq.refuse(std::string("shape.") + kind + " must have sizes > 0");
    fill(at, shape.position);
    fill(angles, shape.angles);
    shape.color = eq[color] == "auto" ? "" : eq[color];
    shapes.push_back(shape);
  };
  if (eq.has(box)) add("box", box);
  if (eq.has(cylinder)) add("cylinder", cylinder);
  if (eq.has(sphere)) add("sphere", sphere);
  if (const std::string file = eq[mesh]; !file.empty()) {
    add("mesh", scale);
    shapes.back().file = file;
  }
  return shapes;
}

}  // namespace coenergy::domains::multibody
