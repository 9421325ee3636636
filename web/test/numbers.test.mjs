import assert from "node:assert/strict";
import { test } from "node:test";
import { first_after, nearest_index, round_down, to_text, to_ticks } from "../src/numbers.js";

test("axis marks tell their exact value", () => {
  assert.deepEqual(to_ticks([1, 1.25, 1.5], 0.25), ["1.00", "1.25", "1.50"]);
  assert.deepEqual(to_ticks([-0.2, 1e-18, 0.2], 0.2), ["−0.2", "0.0", "0.2"]);
  assert.deepEqual(to_ticks([-20, 0, 20], 20), ["−20", "0", "20"]);
  assert.deepEqual(to_ticks([2.00001, 2.000015], 5e-6), ["2.000010", "2.000015"]);
});

test("very large and very small axis marks have exponents", () => {
  assert.deepEqual(to_ticks([0, 2.5e6, 5e6], 2.5e6), ["0", "2.5e6", "5e6"]);
  assert.deepEqual(to_ticks([-5e-8, 0, 5e-8], 5e-8), ["−5e−8", "0", "5e−8"]);
  assert.deepEqual(to_ticks([101325, 101325.5], 0.5), ["1.01325e5", "1.013255e5"]);
});

test("values have five significant digits", () => {
  assert.equal(to_text(Math.PI), "3.1416");
  assert.equal(to_text(-12345.678), "−12346");
  assert.equal(to_text(1.5e-7), "1.5000e−7");
  assert.equal(to_text(0), "0");
  assert.equal(to_text(null), "–");
});

test("the nearest sample is found, also beyond both ends", () => {
  const times = [0, 1, 1, 3];
  assert.deepEqual(
    [-1, 0.4, 0.6, 1.9, 2.1, 9].map((time) => nearest_index(times, time)),
    [0, 0, 1, 2, 3, 3],
  );
  assert.equal(first_after(times, 1), 3);
});

test("round lengths are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([0.19, 0.2, 4.9, 7, 1000].map(round_down), [0.1, 0.2, 2, 5, 1000]);
});
