// node --test paths.test.mjs: curves through points.
import assert from "node:assert/strict";
import { test } from "node:test";
import { monotone_slopes, pieces, trace_curve } from "../src/paths.js";

test("gaps and two points at one time end a piece", () => {
  assert.deepEqual(pieces([0, 1, 2, 2, 3, 4, 5], [1, 1, 1, 5, 5, null, 2]), [
    [0, 2],
    [3, 4],
    [6, 6],
  ]);
});

test("a parabola is met by a third of the error of straight lines or less", () => {
  const x = Array.from({ length: 11 }, (_, i) => i / 10);
  const y = x.map((v) => v * v);
  let worst = 0;
  let from = null;
  trace_curve(x, y, {
    move: (...p) => (from = p),
    line: () => assert.fail("straight"),
    curve(x1, y1, x2, y2, x3, y3) {
      // at the middle of the cubic, where the abscissa is the middle too
      const [mx, my] = [(from[0] + 3 * x1 + 3 * x2 + x3) / 8, (from[1] + 3 * y1 + 3 * y2 + y3) / 8];
      worst = Math.max(worst, Math.abs(my - mx * mx));
      from = [x3, y3];
    },
  });
  // straight lines err by h^2/4 = 2.5e-3
  assert.ok(worst < 8e-4, `${worst}`);
});

test("no curve leaves the values of its ends where points rise", () => {
  const x = [0, 1, 2, 3, 10, 11];
  const y = [0, 0, 0, 1, 1, 1];
  const slopes = monotone_slopes(x, y, 0, 5);
  for (let i = 0; i < 5; ++i)
    for (let s = 0; s <= 1; s += 0.05) {
      const h = x[i + 1] - x[i];
      const v =
        y[i] * (1 + 2 * s) * (1 - s) ** 2 +
        h * slopes[i] * s * (1 - s) ** 2 +
        y[i + 1] * s * s * (3 - 2 * s) +
        h * slopes[i + 1] * s * s * (s - 1);
      assert.ok(v >= Math.min(y[i], y[i + 1]) - 1e-12 && v <= Math.max(y[i], y[i + 1]) + 1e-12, `${i} ${s} ${v}`);
    }
});
