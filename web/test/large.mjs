// node large.mjs PROGRAM FOLDER: the report of a run of a million rows stays below 20 MB, opens within 2 s in headless
// Chromium (the best of three times, since the machine may do other things), and shows a curve and a body. Exit status 0
// passed, 1 failed, 77 skipped.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch_browser, measure, open_page } from "./page.mjs";

const [program, output] = process.argv.slice(2);
const folder = resolve(output);
const rows = 1_000_000;
const megabytes = 20;
const seconds = 2;
const blue = [0x24, 0x59, 0xd3];

const browser = await launch_browser();
if (typeof browser === "string") {
  console.log(`skipped: ${browser}`);
  process.exit(77);
}
mkdirSync(folder, { recursive: true });
const model = join(folder, "large.yaml");
const report = join(folder, "large.html");
writeFileSync(
  model,
  `components:
  gravity: {type: multibody.Gravity}
  rod: {type: multibody.Body, mass: 2 kg, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01], shape: {box: [0.05, 0.05, 1], at: [0, 0, -0.5]}}
  pin: {type: multibody.Revolute, parent: ground, child: rod, axis: y, q0: 60 deg}
simulate: {t_end: 10000 s, output_step: ${10000 / rows} s, rtol: 1e-4, atol: 1e-6}
`,
);
execFileSync(program, ["run", model, "-q", "--report", report], { stdio: "inherit" });
const size = statSync(report).size / 1e6;
console.log(`${rows} rows: ${size.toFixed(2)} MB`);
assert.ok(size < megabytes, `the report has ${size} MB`);

let best = Infinity;
let page;
for (let k = 0; k < 3; ++k) {
  await page?.context().close();
  const begin = performance.now();
  page = await open_page(browser, report);
  best = Math.min(best, (performance.now() - begin) / 1000);
}
console.log(`open after ${best.toFixed(2)} s`);
assert.deepEqual(page.complaints, []);
const curve = await measure(page.locator(".plot canvas").first(), blue);
assert.ok(curve.near > 500, `plot looks blank: ${JSON.stringify(curve)}`);
const view = await measure(page.locator(".stage canvas"), blue);
assert.ok(view.near > 200, `3-D view looks blank: ${JSON.stringify(view)}`);
await browser.close();
assert.ok(best <= seconds, `the report opens after ${best} s`);
