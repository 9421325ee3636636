// node embed.mjs PAGE.html OUT.cpp: writes the page as the C++ constant coenergy::report_template.
import { readFile, writeFile } from "node:fs/promises";

const [input, output] = process.argv.slice(2);
const page = await readFile(input, "utf8");
const mark = "coenergy";
if (page.includes(`)${mark}"`)) throw new Error(`the page contains the end mark )${mark}"`);

// raw literals of modest length, joined by the compiler
const pieces = page.match(/[^]{1,8000}/gu).map((piece) => `R"${mark}(${piece})${mark}"`);
await writeFile(
  output,
  `#include <string_view>\n\nnamespace coenergy {\nextern const std::string_view report_template;\n` +
    `const std::string_view report_template =\n${pieces.join("\n")};\n}  // namespace coenergy\n`,
);
