const minus = (text) => text.replace("-", "\u2212").replace("e-", "e\u2212").replace("e+", "e");

/// A number to be read: five significant digits, an exponent only where it is needed.
export function to_text(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "\u2013";
  const size = Math.abs(value);
  if (size === 0) return "0";
  return minus(size >= 1e-3 && size < 1e6 ? value.toPrecision(5) : value.toExponential(4)).replace(/\.$/, "");
}

/// A number with its unit; "1" and "" are dimensionless.
export const with_unit = (value, unit) => (is_dimensionless(unit) ? to_text(value) : `${to_text(value)} ${unit}`);
export const is_dimensionless = (unit) => !unit || unit === "1" || unit === "-";

/// The texts of an axis with marks at `values`, `step` apart: as many digits as tell each mark exactly, with exponents only
/// if the marks are very large or very small.
export function to_ticks(values, step) {
  const largest = Math.max(...values.map(Math.abs));
  const clean = values.map((value) => (Math.abs(value) < step * 1e-6 ? 0 : value));
  const decimals = count_decimals(step);
  if (largest < 1e5 && (decimals <= 4 || largest >= 1e-2)) return clean.map((value) => minus(value.toFixed(decimals)));
  return clean.map((value) => {
    const digits = Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1)) + decimals);
    return minus(Number(value.toExponential(Math.min(15, digits))).toExponential()).replace(/^0e0$/, "0");
  });
}

/// Decimals behind the point that tell a multiple of `step` exactly.
function count_decimals(step) {
  let decimals = -Math.floor(Math.log10(step) + 1e-9);
  for (let i = 0; i < 3 && !is_whole(step * 10 ** decimals); ++i) decimals += 1;
  return Math.max(0, decimals);
}

const is_whole = (value) => Math.abs(value - Math.round(value)) < 1e-6 * Math.abs(value);

/// The largest of 1, 2, 5 times a power of ten that is not above `value`.
export function round_down(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [5, 2, 1].find((factor) => factor * power <= value * (1 + 1e-9));
}

/// Index of the entry of the sorted `times` nearest to `time`.
export function nearest_index(times, time) {
  const after = first_after(times, time);
  if (after === 0) return 0;
  if (after === times.length) return times.length - 1;
  return times[after] - time < time - times[after - 1] ? after : after - 1;
}

/// Number of entries of the sorted `times` that are not above `time`.
export function first_after(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
