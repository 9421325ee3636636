// node pictures.mjs PROGRAM [EXAMPLE ...]: runs the main model of each example and makes examples/NAME/picture.png of its
// report: the 3-D view where there is one, else the first plots. Libraries are looked up in the folder NODE_PATH.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch_browser, open_page, settle } from "./test/page.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "..", "examples");
const [program, ...wanted] = process.argv.slice(2);

/// The model that the README runs first, else the first that says what it simulates.
function main_model(name) {
  const models = readdirSync(join(examples, name)).filter(
    (file) => file.endsWith(".yaml") && /^simulate:/m.test(readFileSync(join(examples, name, file), "utf8")),
  );
  const readme = readFileSync(join(examples, name, "README.md"), "utf8");
  const shown = [...readme.matchAll(/coenergy run examples\/[^/ ]+\/(\S+)/g)].map((match) => match[1]);
  return shown.find((file) => models.includes(file)) ?? models[0];
}

/// The view at a third of the run, or the plots.
async function take_picture(browser, page_file, target) {
  const page = await open_page(browser, page_file, { width: 1000, height: 900 });
  const has_view = (await page.locator(".stage canvas").count()) > 0;
  if (has_view) {
    await page.locator(".player input").evaluate((slider) => {
      slider.value = Number(slider.min) + 0.31 * (slider.max - slider.min);
      slider.dispatchEvent(new Event("input"));
    });
    await page.addStyleTag({ content: ".stage .tools, .stage .scale { display: none } .stage { height: 420px !important }" });
    await page.waitForTimeout(300);
    await settle(page);
    await page.locator(".stage").screenshot({ path: target });
  } else {
    await page.addStyleTag({ content: ".plot .tools { display: none } .plots { grid-template-columns: 640px !important; width: 640px }" });
    await page.evaluate(() => document.querySelectorAll(".plot").forEach((plot, i) => i > 1 && plot.remove()));
    await page.waitForTimeout(300);
    await settle(page);
    await page.locator(".plots").first().screenshot({ path: target });
  }
  const { complaints } = page;
  await page.context().close();
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
}

const browser = await launch_browser();
if (typeof browser === "string") throw new Error(browser);
const folder = mkdtempSync(join(tmpdir(), "pictures_"));
const names = wanted.length > 0 ? wanted : readdirSync(examples).filter((name) => existsSync(join(examples, name, "README.md")));
for (const name of names) {
  const page_file = join(folder, `${name}.html`);
  execFileSync(resolve(program), ["run", join(examples, name, main_model(name)), "-q", "--report", page_file], { stdio: "inherit" });
  await take_picture(browser, page_file, join(examples, name, "picture.png"));
  console.log(`${name}: ${main_model(name)}`);
}
await browser.close();
