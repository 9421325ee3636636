// node build.mjs OUT.html: bundles src/ with three.js and uPlot into one page that needs no other file.
// Libraries are looked up beside this file, or in the folder NODE_PATH.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = process.env.NODE_PATH || join(here, "node_modules");
const esbuild = createRequire(join(modules, "x.js"))("esbuild");

/// The text of one entry point with all it imports, minified.
async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2020"],
    charset: "ascii",
    legalComments: "none",
    nodePaths: [modules],
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

/// The licences of what the page contains, as a comment at its end.
async function notices() {
  const texts = await Promise.all(
    ["three", "uplot"].map(async (name) => `${name}\n\n${await readFile(join(modules, name, "LICENSE"), "utf8")}`),
  );
  return `<!-- This page contains the following libraries.\n\n${texts.join("\n\n").replace(/--/g, "-")}\n-->`;
}

const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs OUT.html");
let page = await readFile(join(here, "src", "page.html"), "utf8");
for (const [mark, text] of [
  ["/*@STYLE@*/", await bundle("style.css")],
  ["/*@SCRIPT@*/", await bundle("main.js")],
  ["<!--@NOTICES@-->", await notices()],
]) {
  if (page.split(mark).length !== 2) throw new Error(`src/page.html must contain ${mark} once`);
  page = page.replace(mark, () => text);
}
if (page.split("@COENERGY_DATA@").length !== 2) throw new Error("the page must contain @COENERGY_DATA@ once");
await mkdir(dirname(output), { recursive: true });
await writeFile(output, page);
