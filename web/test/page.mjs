// What the browser test needs around a page: a browser, a page that records its complaints, and pixel statistics.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const candidates = [
  process.env.COENERGY_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const flags = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
];

/// A headless browser with a fresh profile, or a text that says what is missing.
export async function launch_browser() {
  const program = candidates.find((path) => path && existsSync(path));
  if (!program) return "chromium not found";
  const modules = process.env.NODE_PATH || join(here, "..", "node_modules");
  if (!existsSync(join(modules, "playwright-core"))) return "playwright-core not installed";
  const { chromium } = createRequire(join(modules, "x.js"))("playwright-core");
  return chromium.launch({ executablePath: program, args: flags });
}

/// A new page that has opened `file` and drawn everything; page.complaints collects errors and requests to the network.
export async function open_page(browser, file, { width = 1440, height = 1000, scheme = "light", before } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.stack));
  page.on(
    "request",
    (request) => /^(file|data|blob):/.test(request.url()) || page.complaints.push(`request to ${request.url()}`),
  );
  if (before) await page.addInitScript(before);
  await page.goto(`file://${file}`);
  await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
  await settle(page);
  return page;
}

/// Waits until two more frames are drawn.
export const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/// Looks at a picture of `locator`: number of distinct colours, share of the pixels that differ from the commonest colour,
/// and, for pixels near `color` [r, g, b], their number and their mean place.
export async function measure(locator, color = [0, 0, 0]) {
  const png = (await locator.screenshot()).toString("base64");
  return locator.page().evaluate(measure_pixels, [png, color]);
}

async function measure_pixels([png, color]) {
  const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const counts = new Map();
  let [near, x, y] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (color.every((part, k) => Math.abs(part - data[i + k]) < 40)) {
      near += 1;
      x += (i / 4) % image.width;
      y += Math.floor(i / 4 / image.width);
    }
  }
  return {
    colors: counts.size,
    drawn: 1 - Math.max(...counts.values()) / (data.length / 4),
    near,
    x: x / near,
    y: y / near,
  };
}
