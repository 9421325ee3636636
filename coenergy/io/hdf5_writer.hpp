#pragma once
#include "coenergy/io/result_writer.hpp"

namespace coenergy::io {

/// A file of HDF5: in its root a dataset of one dimension for each column (attribute `unit`), chunked and compressed by
/// shuffle and deflate; in the group `run` attributes `version`, `title`, `file`, `ended`, those of the settings, the
/// text of the `model` and the parameters (`parameter_names`, `parameter_values`, `parameter_units`).
///
/// Of shuffled doubles the bytes of sign and exponent repeat, those of the mantissa are noise: each of the eight planes
/// of a chunk is deflated or only stored by what a sample of it says, in one stream. That is as small and several times
/// as fast.
///
/// Rows reach the file when a chunk is full, and every second at the latest, by flushes that order their writes so that
/// a file whose writer was killed is whole up to the last one (SWMR); the mark that a writer is at work, which would
/// keep others from opening it, is taken away behind each. A chunk that is written before it is full stays uncompressed
/// and in its place.
std::unique_ptr<ResultWriter> make_hdf5_writer(const std::filesystem::path& path, const ResultHeader& header);

}  // namespace coenergy::io
