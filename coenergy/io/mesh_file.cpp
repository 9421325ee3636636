#include "coenergy/io/mesh_file.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "coenergy/base/error.hpp"
#include "coenergy/io/xml_file.hpp"

namespace coenergy::io {

namespace {

constexpr std::size_t most_triangles = 100'000;

/// Binary: 80 bytes of anything, a count, then per triangle a normal, three corners and two bytes.
std::vector<float> read_binary_stl(std::string_view data) {
  static_assert(std::endian::native == std::endian::little, "STL files are little-endian");
  std::uint32_t count = 0;
  std::memcpy(&count, data.data() + 80, 4);
  std::vector<float> triangles(9 * std::size_t(count));
  for (std::size_t k = 0; k < count; ++k) std::memcpy(&triangles[9 * k], data.data() + 84 + 50 * k + 12, 36);
  return triangles;
}

bool is_binary_stl(std::string_view data) {
  if (data.size() < 84) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, data.data() + 80, 4);
  return data.size() == 84 + 50 * std::size_t(count);
}

std::vector<float> read_text_stl(std::string_view data) {
  std::vector<float> triangles;
  std::istringstream in{std::string(data)};
  for (std::string word; in >> word;) {
    if (word != "vertex") continue;
    for (int k = 0; k < 3; ++k) {
      float x;
      if (!(in >> x)) throw Error("a vertex has no three numbers");
      triangles.push_back(x);
    }
  }
  if (triangles.size() % 9 != 0) throw Error("the last triangle has no three corners");
  return triangles;
}

std::vector<float> read_obj(std::string_view data) {
  std::vector<std::array<float, 3>> corners;
  std::vector<float> triangles;
  std::istringstream in{std::string(data)};
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      std::array<float, 3> v;
      if (!(words >> v[0] >> v[1] >> v[2])) throw Error("a vertex has no three numbers");
      corners.push_back(v);
    } else if (kind == "f") {
      // a face is a fan of triangles; "7/2/3" is corner 7, a negative number counts from the end
      std::vector<std::size_t> face;
      for (std::string word; words >> word;) {
        const long k = std::atol(word.c_str());
        const long index = k > 0 ? k - 1 : static_cast<long>(corners.size()) + k;
        if (k == 0 || index < 0 || index >= static_cast<long>(corners.size()))
          throw Error("a face names the corner " + word + " of " + std::to_string(corners.size()));
        face.push_back(static_cast<std::size_t>(index));
      }
      for (std::size_t k = 2; k < face.size(); ++k)
        for (std::size_t i : {face[0], face[k - 1], face[k]})
          triangles.insert(triangles.end(), corners[i].begin(), corners[i].end());
    }
  }
  return triangles;
}

}  // namespace

std::vector<float> parse_mesh(std::string_view data, std::string_view kind, const std::array<double, 3>& scale) {
  std::vector<float> triangles = kind == ".obj"        ? read_obj(data)
                                 : is_binary_stl(data) ? read_binary_stl(data)
                                                       : read_text_stl(data);
  if (triangles.empty()) throw Error("it has no triangles");
  if (triangles.size() > 9 * most_triangles)
    throw Error("it has " + std::to_string(triangles.size() / 9) + " triangles; a page holds 100000");
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    triangles[i] *= static_cast<float>(scale[i % 3]);
    if (!std::isfinite(triangles[i])) throw Error("it has a number that is not finite");
  }
  return triangles;
}

std::vector<float> read_mesh(const std::filesystem::path& path, const std::array<double, 3>& scale) {
  std::string kind = path.extension().string();
  for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (kind != ".stl" && kind != ".obj")
    throw Error("the mesh " + path.string() + " cannot be drawn; meshes are .stl or .obj files");
  const std::string data = read_source(path);
  try {
    return parse_mesh(data, kind, scale);
  } catch (const Error& e) {
    throw Error("the mesh " + path.string() + " cannot be drawn: " + e.what());
  }
}

}  // namespace coenergy::io
