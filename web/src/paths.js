// Curves through points as a ship's spline would draw them: smooth where the signal is, straight to a corner or a jump.
//
// Between two points the curve is a cubic whose slopes at the ends are those of Fritsch and Carlson (SIAM J. Numer. Anal.
// 17, 1980): it rises only where the points rise, so nothing is shown that lies outside of them. A gap (null) and two points
// at one time, as they stand before and after an event, end a piece.

/// Pieces [first, last] of x, y without gaps and without two points at one x; y may be null.
export function pieces(x, y, from = 0, to = x.length - 1) {
  const found = [];
  let first = -1;
  for (let i = from; i <= to + 1; ++i) {
    const present = i <= to && y[i] !== null && y[i] !== undefined && !Number.isNaN(y[i]);
    if (first >= 0 && (!present || x[i] === x[i - 1])) {
      found.push([first, i - 1]);
      first = -1;
    }
    if (present && first < 0) first = i;
  }
  return found;
}

/// Slopes dy/dx at the points first … last of an increasing x.
export function monotone_slopes(x, y, first, last) {
  const n = last - first + 1;
  const slopes = new Float64Array(n);
  if (n < 2) return slopes;
  const secant = (i) => (y[first + i + 1] - y[first + i]) / (x[first + i + 1] - x[first + i]);
  slopes[0] = n > 2 ? end_slope(x, y, first, 1) : secant(0);
  slopes[n - 1] = n > 2 ? end_slope(x, y, last, -1) : secant(0);
  for (let i = 1; i + 1 < n; ++i) {
    const [a, b] = [secant(i - 1), secant(i)];
    if (a * b <= 0) continue;
    // the harmonic mean, weighted by the steps, keeps the cubic monotone
    const [h, k] = [x[first + i] - x[first + i - 1], x[first + i + 1] - x[first + i]];
    slopes[i] = (3 * (h + k)) / ((2 * k + h) / a + (k + 2 * h) / b);
  }
  return slopes;
}

/// The slope of the parabola through three points at the end `i` of a piece, limited like the others.
function end_slope(x, y, i, side) {
  const [h, k] = [Math.abs(x[i + side] - x[i]), Math.abs(x[i + 2 * side] - x[i + side])];
  const a = (y[i + side] - y[i]) / (x[i + side] - x[i]);
  const b = (y[i + 2 * side] - y[i + side]) / (x[i + 2 * side] - x[i + side]);
  const slope = ((2 * h + k) * a - h * b) / (h + k);
  if (slope * a <= 0) return 0;
  return a * b <= 0 && Math.abs(slope) > 3 * Math.abs(a) ? 3 * a : slope;
}

/// Calls move(x, y), line(x, y), curve(x1, y1, x2, y2, x, y) for one curve; px and py turn values into places.
export function trace_curve(x, y, pen, px = (v) => v, py = (v) => v, range = [0, x.length - 1]) {
  for (const [first, last] of pieces(x, y, ...range)) {
    pen.move(px(x[first]), py(y[first]));
    const slopes = last - first > 1 ? monotone_slopes(x, y, first, last) : null;
    for (let i = first + 1; i <= last; ++i) {
      if (!slopes) {
        pen.line(px(x[i]), py(y[i]));
        continue;
      }
      const third = (x[i] - x[i - 1]) / 3;
      pen.curve(
        px(x[i - 1] + third),
        py(y[i - 1] + third * slopes[i - 1 - first]),
        px(x[i] - third),
        py(y[i] - third * slopes[i - first]),
        px(x[i]),
        py(y[i]),
      );
    }
  }
}

/// The same for a path in a plane: x and y over time, both smooth.
export function trace_path(time, x, y, pen, px, py) {
  const together = x.map((value, i) => (value === null || y[i] === null ? null : value));
  for (const [first, last] of pieces(time, together)) {
    pen.move(px(x[first]), py(y[first]));
    const [u, v] = [monotone_slopes(time, x, first, last), monotone_slopes(time, y, first, last)];
    for (let i = first + 1; i <= last; ++i) {
      const third = (time[i] - time[i - 1]) / 3;
      const k = i - first;
      pen.curve(
        px(x[i - 1] + third * u[k - 1]),
        py(y[i - 1] + third * v[k - 1]),
        px(x[i] - third * u[k]),
        py(y[i] - third * v[k]),
        px(x[i]),
        py(y[i]),
      );
    }
  }
}
