#include "coenergy/generate/fmu_runtime.hpp"

namespace coenergy::generate {

const std::string_view fmi3_other_types = R"c(
fmi3Status fmi3GetFloat32(void* c, const uint32_t r[], size_t n, float value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetFloat32(void* c, const uint32_t r[], size_t n, const float value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetInt8(void* c, const uint32_t r[], size_t n, int8_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetInt8(void* c, const uint32_t r[], size_t n, const int8_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetUInt8(void* c, const uint32_t r[], size_t n, uint8_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetUInt8(void* c, const uint32_t r[], size_t n, const uint8_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetInt16(void* c, const uint32_t r[], size_t n, int16_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetInt16(void* c, const uint32_t r[], size_t n, const int16_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetUInt16(void* c, const uint32_t r[], size_t n, uint16_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetUInt16(void* c, const uint32_t r[], size_t n, const uint16_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetInt32(void* c, const uint32_t r[], size_t n, int32_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetInt32(void* c, const uint32_t r[], size_t n, const int32_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetUInt32(void* c, const uint32_t r[], size_t n, uint32_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetUInt32(void* c, const uint32_t r[], size_t n, const uint32_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetInt64(void* c, const uint32_t r[], size_t n, int64_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetInt64(void* c, const uint32_t r[], size_t n, const int64_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetUInt64(void* c, const uint32_t r[], size_t n, uint64_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetUInt64(void* c, const uint32_t r[], size_t n, const uint64_t value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetBoolean(void* c, const uint32_t r[], size_t n, bool value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetBoolean(void* c, const uint32_t r[], size_t n, const bool value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetString(void* c, const uint32_t r[], size_t n, const char* value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetString(void* c, const uint32_t r[], size_t n, const char* const value[], size_t values) {
  (void)r, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetBinary(void* c, const uint32_t r[], size_t n, size_t size[], const uint8_t* value[], size_t values) {
  (void)r, (void)size, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3SetBinary(void* c, const uint32_t r[], size_t n, const size_t size[], const uint8_t* const value[],
                         size_t values) {
  (void)r, (void)size, (void)value, (void)values;
  return n == 0 ? fmi3OK : @_fail(c, "there are no variables of this type");
}
fmi3Status fmi3GetClock(void* c, const uint32_t r[], size_t n, bool value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3SetClock(void* c, const uint32_t r[], size_t n, const bool value[]) {
  (void)r, (void)value;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3GetIntervalDecimal(void* c, const uint32_t r[], size_t n, double interval[], fmi3IntervalQualifier qualifier[]) {
  (void)r, (void)interval, (void)qualifier;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3GetIntervalFraction(void* c, const uint32_t r[], size_t n, uint64_t counter[], uint64_t resolution[], fmi3IntervalQualifier qualifier[]) {
  (void)r, (void)counter, (void)resolution, (void)qualifier;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3GetShiftDecimal(void* c, const uint32_t r[], size_t n, double shift[]) {
  (void)r, (void)shift;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3GetShiftFraction(void* c, const uint32_t r[], size_t n, uint64_t counter[], uint64_t resolution[]) {
  (void)r, (void)counter, (void)resolution;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3SetIntervalDecimal(void* c, const uint32_t r[], size_t n, const double interval[]) {
  (void)r, (void)interval;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3SetIntervalFraction(void* c, const uint32_t r[], size_t n, const uint64_t counter[], const uint64_t resolution[]) {
  (void)r, (void)counter, (void)resolution;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3SetShiftDecimal(void* c, const uint32_t r[], size_t n, const double shift[]) {
  (void)r, (void)shift;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
fmi3Status fmi3SetShiftFraction(void* c, const uint32_t r[], size_t n, const uint64_t counter[], const uint64_t resolution[]) {
  (void)r, (void)counter, (void)resolution;
  return n == 0 ? fmi3OK : @_fail(c, "there are no clocks");
}
)c";

}  // namespace coenergy::generate
