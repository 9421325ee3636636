import { draw_diagram, canvas_pen, svg_pen } from "./diagram.js";

const size = { width: 900, height: 420 };

/// What a plot or chart is as a file: { name, diagram, table: { columns: [[name, unit, values]] } }.
export const formats = {
  SVG: (source, theme) => {
    const pen = svg_pen(size.width, size.height);
    draw_page(pen, source, theme);
    return new Blob([pen.text_of_file()], { type: "image/svg+xml" });
  },
  PNG: (source, theme) => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 2 * size.width, height: 2 * size.height });
    const context = canvas.getContext("2d");
    context.scale(2, 2);
    draw_page(canvas_pen(context), source, theme);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  },
  CSV: (source) => new Blob([csv_of(source.table)], { type: "text/csv" }),
};

function draw_page(pen, { diagram }, theme) {
  pen.box(0, 0, size.width, size.height, theme.panel);
  draw_diagram(pen, diagram, size, theme, { titled: true, legend: diagram.curves.length > 0 });
}

/// Names, units and rows, as result files of the program have them.
export function csv_of({ columns }) {
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const lines = [columns.map(([name]) => cell(name)).join(","), columns.map(([, unit]) => cell(unit)).join(",")];
  const rows = Math.max(0, ...columns.map(([, , values]) => values.length));
  for (let i = 0; i < rows; ++i) lines.push(columns.map(([, , values]) => values[i] ?? "").join(","));
  return `${lines.join("\n")}\n`;
}

/// Offers the file to the reader of the page.
export async function save(format, source, theme) {
  const blob = await formats[format](source, theme);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${source.name.replace(/[^\w.-]+/g, "_") || "plot"}.${format.toLowerCase()}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
