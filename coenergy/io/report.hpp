#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coenergy {

/// One quantity over the output times; `values` has one entry for each entry of Report::time, NaN draws a gap.
struct ReportSignal {
  std::string name, unit;
  std::vector<double> values;
  std::string help = {};
};

/// One plot of signals over time, or over another signal. Values are shown as value / scale - shift, in the unit.
struct ReportPlot {
  struct Axis {
    std::string unit;  ///< empty: that of each signal
    double scale = 1, shift = 0;
  };
  std::vector<std::string> signals;
  std::string x = {}, title = {};  ///< x empty: over time
  Axis y_axis = {}, x_axis = {};

  ReportPlot() = default;
  ReportPlot(std::vector<std::string> names) : signals(std::move(names)) {}  // NOLINT
  ReportPlot(std::initializer_list<const char*> names) : signals(names.begin(), names.end()) {}
};

/// A diagram with axes of its own, such as a frequency response: curves of x and y, NaN draws a gap.
struct ReportChart {
  struct Curve {
    std::string name;
    std::vector<double> x, y;
    bool points = false;  ///< single marks instead of a line
  };
  std::string title, x_label, y_label;
  bool logarithmic = false;  ///< the x axis
  bool equal = false;        ///< both axes have one scale, as a plane of complex numbers has
  std::vector<Curve> curves = {};
};

/// A table of texts below the plots; each row has as many cells as there are columns.
struct ReportTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A frame that moves in the world. `pose` holds, for each output time (see Report::frame_time), x y z qw qx qy qz: the
/// position of its origin in metres and the unit quaternion of R_WF, which turns components in the frame into
/// components in the world. Seven numbers alone are a frame that stands still.
struct ReportFrame {
  std::string name;
  std::vector<double> pose;
};

/// A point fixed in a frame, `offset` in metres and in the axes of that frame; frame −1 is the world.
struct ReportPoint {
  int frame = -1;
  std::array<double, 3> offset{};
};

/// Something to look at in the 3-D view. Lengths in metres. The first kinds are attached to `frame` (−1 is the world)
/// by the constant `pose` (x y z qw qx qy qz); the last ones run through `points`.
///
/// | kind     | size (defaults in brackets)          | drawn                                             |
/// |----------|--------------------------------------|---------------------------------------------------|
/// | box      | x, y, z                              | centred                                           |
/// | cylinder | radius, length                       | centred, axis along local z                       |
/// | sphere   | radius                               | centred                                           |
/// | mesh     | none                                 | its triangles                                     |
/// | frame    | length of an axis [by the scene]     | x red, y green, z blue                            |
/// | ground   | edge [by the scene], spacing [same]  | square grid in the local x-y plane                |
/// | line     | radius [thin]                        | polyline through two or more points, such as a beam |
/// | spring   | radius of the coil [by the scene], number of coils [8] | coil between two points          |
/// | arrow    | radius [by the scene]                | from the first point to the second, such as a force |
/// | trace    | radius [thin]                        | path of one point over the whole run              |
struct ReportShape {
  std::string kind;
  std::vector<double> size;
  std::string color;  ///< "#rrggbb"; empty: the next one of the palette
  std::string name;
  int frame = -1;
  std::array<double, 7> pose{0, 0, 0, 1, 0, 0, 0};
  std::vector<ReportPoint> points = {};
  std::vector<float> triangles = {};  ///< of a mesh: nine numbers each
};

/// All that one HTML page shows of a run: plain data, already in the units to be read.
struct Report {
  std::string title, description;
  std::string ended;      ///< how the run ended, as one short text
  bool succeeded = true;  ///< whether that is a good end
  std::vector<std::pair<std::string, std::string>> summary = {};
  std::vector<std::string> messages = {};  ///< warnings and notes
  std::vector<ReportTable> tables = {};
  std::vector<double> time = {};  ///< s, never decreasing
  std::size_t samples = 0;        ///< rows of the run, where time and signals have been thinned already; 0: as in time
  std::vector<ReportSignal> signals = {};
  std::vector<ReportPlot> plots = {};  ///< empty: the page chooses
  std::vector<ReportChart> charts = {};
  std::vector<double> frame_time = {};  ///< s, of the poses; empty: as of the signals
  std::vector<ReportFrame> frames = {};
  std::vector<ReportShape> shapes = {};
  std::array<double, 3> up{0, 0, 1};  ///< direction in the world that points up on the screen

  /// Throws Error naming every part that does not fit: lengths, names, kinds, indices.
  void check() const;
};

/// The page: one HTML text that needs no other file and no network. Signals longer than 20 000 points are thinned so
/// that every extreme value stays visible. Throws Error if the report does not fit together or the page was not built
/// in.
std::string to_html(const Report& report);

/// The data of the page as JSON, as it stands inside to_html.
std::string to_json(const Report& report);

/// How many rows of signals a page can carry.
std::size_t most_rows(std::size_t signals);

/// Writes to_html(report) (see OutputFile); throws Error naming the file if it cannot be written.
void write_report(const std::filesystem::path& path, const Report& report);

/// The empty page made from web/, with `@COENERGY_DATA@` where the data goes; empty if the build had no npm.
extern const std::string_view report_template;

}  // namespace coenergy
