// node browser.mjs SAMPLE_PROGRAM FOLDER: opens reports written by the C++ program in headless Chromium and uses them as a
// reader would. Leaves screenshots in FOLDER. Exit status 0 passed, 1 failed, 77 skipped.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch_browser, measure, open_page, settle } from "./page.mjs";

const [program, output] = process.argv.slice(2);
const folder = resolve(output);
const blue = [0x24, 0x59, 0xd3];
const orange = [0xd9, 0x54, 0x1e];
const green = [0x0c, 0x8f, 0x66];
const purple = [0xb3, 0x30, 0x9c];
const sample = join(folder, "sample.html");
const plain = join(folder, "plain.html");
const range_of = async (plot, axis = "x") => (await plot.getAttribute(`data-${axis}-range`)).split(" ").map(Number);
const reading = (page, plot, signal) =>
  page.locator(".plot").nth(plot).locator(".legend output").nth(signal).textContent();

async function set_slider(page, value) {
  await page.locator(".player input").evaluate((slider, time) => {
    slider.value = time;
    slider.dispatchEvent(new Event("input"));
  }, value);
  await settle(page);
}

const tests = {
  async "the page opens with title, summary, tables and without complaints"(page) {
    assert.equal(await page.title(), "Pendulum and spring");
    assert.match(await page.locator("header p").first().textContent(), /spring <\/script><b>not bold<\/b>\.$/);
    assert.equal(await page.locator(".ended").textContent(), "reached t = 5 s");
    assert.equal(await page.locator(".summary dt").count(), 8);
    assert.equal(await page.locator(".table").count(), 2);
    assert.equal(await page.locator(".messages li").count(), 1);
  },

  async "plots are drawn and show values with units at the first time"(page) {
    assert.equal(await page.locator(".plot").count(), 2);
    assert.equal(await reading(page, 0, 0), "1.5708");
    assert.equal(await page.locator(".legend .unit").first().textContent(), "rad");
    const curve = await measure(page.locator(".plot canvas").first(), blue);
    assert.ok(curve.drawn > 0.01 && curve.near > 500, `plot looks blank: ${JSON.stringify(curve)}`);
  },

  async "the 3-D view shows rod, bob and block"(page) {
    for (const color of [blue, orange, green]) {
      const view = await measure(page.locator(".stage canvas"), color);
      assert.ok(view.colors > 50 && view.near > 200, `3-D view lacks the colour ${color}: ${JSON.stringify(view)}`);
    }
  },

  async "forces are arrows, until they are switched off"(page) {
    const canvas = page.locator(".stage canvas");
    const switch_forces = async () => {
      await page.getByRole("button", { name: "show more" }).click();
      await page.getByRole("menuitem", { name: "forces" }).click();
      await settle(page);
      return (await measure(canvas, purple)).near;
    };
    const shown = (await measure(canvas, purple)).near;
    assert.ok(shown > 50, `no arrow: ${shown}`);
    const hidden = await switch_forces();
    assert.ok(hidden < shown / 10, `an arrow that is switched off: ${hidden} of ${shown}`);
    assert.ok((await switch_forces()) > 50);
  },

  async "the slider moves bodies, marker and values"(page) {
    const canvas = page.locator(".stage canvas");
    const before = await measure(canvas, orange);
    const marker = await page.locator(".marker").first().boundingBox();
    // at half a period, 1.18392 s, the pendulum stands at −90°
    await set_slider(page, 1.185);
    const after = await measure(canvas, orange);
    assert.ok(before.x - after.x > 60, `bob moved from x = ${before.x} to ${after.x} pixels`);
    assert.ok((await page.locator(".marker").first().boundingBox()).x > marker.x + 50);
    assert.equal(await reading(page, 0, 0), "−1.5708");
    assert.equal(await page.locator(".player .time").textContent(), "1.185 s");
    await page.screenshot({ path: join(folder, "moved.png") });
    await set_slider(page, 0);
  },

  async "pointing into a plot moves the time everywhere"(page) {
    const area = await page.locator(".plot .u-over").nth(1).boundingBox();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await settle(page);
    assert.equal(await page.locator(".player .time").textContent(), "2.500 s");
    assert.ok(Math.abs(Number(await page.locator(".stage").getAttribute("data-time")) - 2.5) < 0.01);
  },

  async "play runs and pause stops"(page) {
    await set_slider(page, 0);
    const time = async () => parseFloat(await page.locator(".player .time").textContent());
    await page.getByRole("button", { name: "play", exact: true }).click();
    while ((await time()) < 0.2) await page.waitForTimeout(20);
    await page.getByRole("button", { name: "pause", exact: true }).click();
    const stopped = await time();
    await page.waitForTimeout(300);
    assert.equal(await time(), stopped);
  },

  async "dragging zooms all plots and double-click resets"(page) {
    const [first, second] = [page.locator(".plot").nth(0), page.locator(".plot").nth(1)];
    const area = await first.locator(".u-over").boundingBox();
    const before = await measure(second.locator("canvas"), blue);
    await page.mouse.move(area.x + 0.2 * area.width, area.y + 60);
    await page.mouse.down();
    await page.mouse.move(area.x + 0.6 * area.width, area.y + 64, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    for (const plot of [first, second]) {
      const [low, high] = await range_of(plot);
      assert.ok(Math.abs(low - 1) < 0.02 && Math.abs(high - 3) < 0.02, `zoomed to ${low} … ${high}`);
    }
    const after = await measure(second.locator("canvas"), blue);
    assert.notEqual(before.near, after.near);
    await page.screenshot({ path: join(folder, "zoomed.png") });
    await page.mouse.dblclick(area.x + 0.5 * area.width, area.y + 60);
    await settle(page);
    assert.deepEqual(await range_of(second), [0, 5]);
  },

  async "an upright drag zooms the values of one plot and double-click resets"(page) {
    const plot = page.locator(".plot").first();
    const area = await plot.locator(".u-over").boundingBox();
    const [bottom, top] = await range_of(plot, "y");
    await page.mouse.move(area.x + 100, area.y + 0.4 * area.height);
    await page.mouse.down();
    await page.mouse.move(area.x + 102, area.y + 0.8 * area.height, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    // within two pixels of the places where the button went down and up
    const [low, high] = await range_of(plot, "y");
    const two_pixels = (2 * (top - bottom)) / area.height;
    assert.ok(Math.abs(low - (top - 0.8 * (top - bottom))) < two_pixels, `zoomed to ${low} … ${high}`);
    assert.ok(Math.abs(high - (top - 0.4 * (top - bottom))) < two_pixels, `zoomed to ${low} … ${high}`);
    await page.mouse.dblclick(area.x + 100, area.y + 60);
    await settle(page);
    assert.deepEqual(await range_of(plot, "y"), [bottom, top]);
  },

  async "any signal can be searched and plotted"(page) {
    await page.getByRole("button", { name: "add a plot of any signals" }).click();
    await page.locator(".picker input[type=search]").fill("kinetic");
    assert.equal(await page.locator(".choices label").count(), 1);
    await page.locator(".choices label").click();
    await page.getByRole("button", { name: "Plot 1 signal" }).click();
    await settle(page);
    assert.equal(await page.locator(".plot").count(), 3);
    assert.equal(await page.locator(".plot").nth(2).locator(".legend .name").textContent(), "pendulum.energy");
    await page.locator(".plot").nth(2).getByRole("button", { name: "remove this plot" }).click();
    assert.equal(await page.locator(".plot").count(), 2);
  },
};

/// Pages of their own: other data, other browsers, other paper.
const visits = {
  async "a report without bodies has no 3-D panel and keeps the peak among 100 000 points"(browser) {
    const page = await open_page(browser, plain);
    assert.equal(await page.locator(".view").count(), 0);
    assert.equal(await page.locator(".plot").count(), 2);
    assert.match(await page.locator(".legend button").first().getAttribute("title"), /40\.000 V$/);
    assert.match(await page.locator("footer").textContent(), /20000 of 100000 output times are drawn/);
    assert.equal(await page.locator(".ended.bad").count(), 1);
    await page.screenshot({ path: join(folder, "plain.png") });
    return page;
  },

  async "without WebGL the page says so and still plots"(browser) {
    const before = () => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
      };
    };
    const page = await open_page(browser, sample, { before });
    assert.match(await page.locator(".missing").textContent(), /needs WebGL 2/);
    await set_slider(page, 1.185);
    assert.equal(await reading(page, 0, 0), "−1.5708");
    return page;
  },

  async "a single instant is drawn as a point, without a player"(browser) {
    const page = await open_page(browser, join(folder, "still.html"));
    assert.equal(await reading(page, 0, 0), "1.0133e5");
    assert.equal(await reading(page, 1, 0), "–");
    assert.deepEqual(await range_of(page.locator(".plot").first()), [-0.5, 0.5]);
    assert.equal(await page.locator(".player").count(), 0);
    await page.screenshot({ path: join(folder, "still.png") });
    return page;
  },

  async "bodies are shown also without any time"(browser) {
    const page = await open_page(browser, join(folder, "empty.html"));
    assert.equal(await page.locator(".plot").count(), 0);
    assert.ok((await measure(page.locator(".stage canvas"), blue)).near > 1000);
    return page;
  },

  async "titles, units, a path, a jump and diagrams without time"(browser) {
    for (const scheme of ["light", "dark"])
      for (const width of [1280, 390]) {
        const page = await open_page(browser, join(folder, "charts.html"), { width, height: 900, scheme });
        assert.equal(await page.locator(".plot").count(), 4);
        assert.deepEqual(await page.locator(".plot h2").allTextContents(), ["Path", "Pressure", "Frequency response", "Poles"]);
        for (const plot of [0, 1, 2, 3]) {
          const color = scheme === "dark" ? [0x7b, 0xa6, 0xff] : blue;
          const curve = await measure(page.locator(".plot canvas").nth(plot), color);
          assert.ok(curve.near > (plot === 3 ? 30 : 150), `plot ${plot} looks blank: ${JSON.stringify(curve)}`);
        }
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await page.screenshot({ path: join(folder, `charts_${scheme}_${width}.png`), fullPage: true });
        if (scheme === "dark" || width < 1000) {
          await page.close();
          continue;
        }
        // 3e5 Pa behind the jump are 3 bar
        await set_slider(page, 3);
        assert.equal(await reading(page, 1, 0), "3.0000");
        assert.equal(await page.locator(".legend .unit").first().textContent(), "bar");
        const dot = await page.locator(".plot .dot").boundingBox();
        await set_slider(page, 1);
        const moved = await page.locator(".plot .dot").boundingBox();
        assert.ok(dot.y - moved.y > 50, `the mark of the path went from ${dot.y} to ${moved.y}`);
        await page.close();
      }
    return open_page(browser, join(folder, "charts.html"));
  },

  async "plots are saved as SVG, PNG and CSV"(browser) {
    const page = await open_page(browser, join(folder, "charts.html"));
    const file = async (plot, format) => {
      const panel = page.locator(".plot").nth(plot);
      await panel.getByRole("button", { name: "save as a file" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        panel.getByRole("menuitem", { name: format }).click(),
      ]);
      const path = join(folder, download.suggestedFilename());
      await download.saveAs(path);
      return readFileSync(path);
    };
    const table = (await file(1, "CSV")).toString().trim().split("\n");
    assert.deepEqual(table.slice(0, 3), ["time,tank.p", "s,bar", "0,1"]);
    assert.equal(table.length, 2 + 22);
    assert.deepEqual((await file(0, "CSV")).toString().split("\n")[0], "time,tip.x,tip.y");
    for (const plot of [0, 1, 2, 3]) {
      const svg = (await file(plot, "SVG")).toString();
      assert.match(svg, /^<svg [^>]*>[\s\S]*(<path|<circle)[\s\S]*<\/svg>\s*$/);
      assert.ok(!svg.includes("NaN"), "the file has numbers that are none");
      const drawn = await page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
        await image.decode();
        return image.width;
      }, svg);
      assert.equal(drawn, 900);
    }
    const png = await file(2, "PNG");
    assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.equal(png.readUInt32BE(16), 1800);
    return page;
  },

  async "rows are stepped, the run is repeated or not, the camera follows"(browser) {
    const page = await open_page(browser, join(folder, "charts.html"));
    const time = () => page.locator(".player .time").textContent();
    const forward = page.getByRole("button", { name: "one row forward" });
    for (let k = 0; k < 11; ++k) await forward.click();
    // rows at 0, 0.2 … 2.0, 2.0, 2.2: both at 2 s are one step
    assert.equal(await time(), "2.200 s");
    await page.getByRole("button", { name: "one row back" }).click();
    assert.equal(await time(), "2.000 s");
    await page.getByRole("button", { name: "one row back" }).click();
    assert.equal(await time(), "1.800 s");
    await page.getByRole("button", { name: "begin again at the end" }).click();
    await set_slider(page, 3.9);
    await page.getByRole("button", { name: "play", exact: true }).click();
    await page.waitForTimeout(600);
    assert.equal(await time(), "4.000 s");
    // a body that the camera follows stays in the middle
    await page.locator("select[aria-label=follow]").selectOption({ label: "follow tip" });
    for (const at of [0, 2]) {
      await set_slider(page, at);
      const view = await measure(page.locator(".stage canvas"), blue);
      const box = await page.locator(".stage canvas").boundingBox();
      const ratio = await page.evaluate(() => Math.min(2, devicePixelRatio));
      assert.ok(Math.abs(view.x / ratio - box.width / 2) < 0.05 * box.width, `followed body at ${view.x} of ${box.width}`);
    }
    await page.getByRole("button", { name: "show more" }).click();
    await page.getByRole("menuitem", { name: "axes of bodies" }).click();
    await settle(page);
    const red = await measure(page.locator(".stage canvas"), [0xd8, 0x41, 0x3c]);
    assert.ok(red.near > 20, `no axes: ${JSON.stringify(red)}`);
    await page.screenshot({ path: join(folder, "axes.png") });
    return page;
  },

  async "a narrow dark screen shows everything without scrolling sideways"(browser) {
    const page = await open_page(browser, sample, { width: 390, height: 844, scheme: "dark" });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.screenshot({ path: join(folder, "narrow.png"), fullPage: true });
    return page;
  },

  async "paper is light and leaves out the controls"(browser) {
    const page = await open_page(browser, sample, { scheme: "dark" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.locator(".player").isVisible(), false);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    const curve = await measure(page.locator(".plot canvas").first(), blue);
    assert.ok(curve.near > 500, `plot on paper looks blank: ${JSON.stringify(curve)}`);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.pdf({
      path: join(folder, "paper.pdf"),
      format: "A4",
      margin: { top: "15mm", bottom: "15mm", left: "12mm", right: "12mm" },
    });
    return page;
  },
};

async function attempt(name, test) {
  try {
    await test();
    console.log(`ok      ${name}`);
    return 0;
  } catch (error) {
    console.log(`FAILED  ${name}\n${error.stack}`);
    return 1;
  }
}

const browser = await launch_browser();
if (typeof browser === "string") {
  console.log(`skipped: ${browser}`);
  process.exit(77);
}
mkdirSync(folder, { recursive: true });
execFileSync(program, [folder]);

const no_complaints = (page) => assert.deepEqual(page.complaints, []);
let failed = 0;
const page = await open_page(browser, sample);
await page.screenshot({ path: join(folder, "sample.png"), fullPage: true });
for (const [name, test] of Object.entries(tests)) failed += await attempt(name, () => test(page));
failed += await attempt("using the page caused no complaint", () => no_complaints(page));
for (const [name, visit] of Object.entries(visits))
  failed += await attempt(name, async () => no_complaints(await visit(browser)));
await browser.close();
console.log(`${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
