// Diagrams with axes of any kind, drawn by a pen: on the page by one for a canvas, into files by one for SVG.
import { to_ticks } from "./numbers.js";
import { trace_curve, trace_path } from "./paths.js";

export const font_family = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/// A pen on a canvas context.
export function canvas_pen(context) {
  return {
    begin: () => context.beginPath(),
    move: (x, y) => context.moveTo(x, y),
    line: (x, y) => context.lineTo(x, y),
    curve: (...points) => context.bezierCurveTo(...points),
    stroke(color, width) {
      Object.assign(context, { strokeStyle: color, lineWidth: width, lineJoin: "round" });
      context.stroke();
    },
    mark(x, y, radius, color) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      Object.assign(context, { strokeStyle: color, lineWidth: 1.75 });
      context.stroke();
    },
    box(x, y, width, height, color) {
      context.fillStyle = color;
      context.fillRect(x, y, width, height);
    },
    text(text, x, y, { color, anchor = "middle", turned = false, size = 12, bold = false }) {
      context.save();
      context.translate(x, y);
      if (turned) context.rotate(-Math.PI / 2);
      context.font = `${bold ? "600 " : ""}${size}px ${font_family}`;
      context.fillStyle = color;
      context.textAlign = { middle: "center", start: "left", end: "right" }[anchor];
      context.textBaseline = "middle";
      context.fillText(text, 0, 0);
      context.restore();
    },
    clip(x, y, width, height) {
      context.save();
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
    },
    unclip: () => context.restore(),
  };
}

/// A pen that writes SVG; text() of the result is the file.
export function svg_pen(width, height) {
  const parts = [];
  const number = (v) => Number(v.toFixed(2));
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
  let path = "";
  let clips = 0;
  return {
    begin: () => (path = ""),
    move: (x, y) => (path += `M${number(x)} ${number(y)}`),
    line: (x, y) => (path += `L${number(x)} ${number(y)}`),
    curve: (...points) => (path += `C${points.map(number).join(" ")}`),
    stroke: (color, width) =>
      parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linejoin="round"/>`),
    mark: (x, y, r, color) =>
      parts.push(
        `<circle cx="${number(x)}" cy="${number(y)}" r="${r}" fill="none" stroke="${color}" stroke-width="1.75"/>`,
      ),
    box: (x, y, w, h, color) =>
      parts.push(`<rect x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}" fill="${color}"/>`),
    text(text, x, y, { color, anchor = "middle", turned = false, size = 12, bold = false }) {
      const place = `translate(${number(x)} ${number(y)})${turned ? " rotate(-90)" : ""}`;
      const weight = bold ? ' font-weight="600"' : "";
      parts.push(
        `<text transform="${place}" dy="0.35em" text-anchor="${anchor}" font-size="${size}"${weight} fill="${color}">${escape(text)}</text>`,
      );
    },
    clip(x, y, w, h) {
      clips += 1;
      parts.push(
        `<clipPath id="clip${clips}"><rect x="${number(x)}" y="${number(y)}" width="${number(w)}" height="${number(h)}"/></clipPath><g clip-path="url(#clip${clips})">`,
      );
    },
    unclip: () => parts.push("</g>"),
    text_of_file: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family='${font_family}'>\n${parts.join("\n")}\n</svg>\n`,
  };
}

/// Room for the axis from `low` to `high`; a constant is not blown up to show its rounding errors.
export function pad_range(low, high, part = 0.06) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-9 * size || size === 0) return size === 0 ? [-1, 1] : [low - 0.1 * size, high + 0.1 * size];
  const room = part * (high - low);
  return [low - room, high + room];
}

export function extent(lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of lists)
    for (const value of values) {
      if (value === null || value === undefined || Number.isNaN(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return [low, high];
}

/// Marks of an axis: about `count` at round values, or decades with their thirds.
function marks_of([low, high], count, logarithmic) {
  if (logarithmic) {
    const decades = Math.log10(high / low);
    const steps = decades > count ? [1] : decades > count / 2 ? [1, 3] : [1, 2, 5];
    const marks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
      for (const step of steps) marks.push(Number(`${step}e${power}`));
    return marks.filter((mark) => mark >= low * (1 - 1e-9) && mark <= high * (1 + 1e-9));
  }
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9));
  const marks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) marks.push(k * step);
  return marks;
}

/// `diagram`: { title, x: { label, logarithmic, range? }, axes: [{ label, range? }], equal,
/// curves: [{ name, color, x, y, axis, points }] }, as drawn into `area` { width, height }. Axis 0 stands on the left, the
/// next on the right. Returns the places: { left, top, width, height, px(v), py(axis)(v) }.
export function draw_diagram(pen, diagram, { width, height }, theme, options = {}) {
  const axes = diagram.axes.map((axis, k) => ({
    ...axis,
    range: axis.range ?? pad_range(...extent(diagram.curves.filter((c) => (c.axis ?? 0) === k).map((c) => c.y))),
  }));
  const { logarithmic = false } = diagram.x;
  let range = diagram.x.range ?? extent(diagram.curves.map((curve) => curve.x));
  if (!logarithmic && !diagram.x.range && !diagram.x.tight) range = pad_range(...range);
  if (!(range[1] > range[0])) range = pad_range(range[0], range[1]);

  // texts first: they need room
  const top = (diagram.title && options.titled ? 30 : 10) + (options.legend ? 20 : 0);
  const inner_height = Math.max(40, height - top - 46);
  const ticks = axes.map((axis) => {
    const marks = marks_of(axis.range, inner_height / 40, false);
    const texts = to_ticks(marks, marks.length > 1 ? marks[1] - marks[0] : 1);
    return { marks, texts, room: 26 + 7 * Math.max(3, ...texts.map((text) => text.length)) };
  });
  const left = ticks[0].room;
  const right = ticks.slice(1).reduce((sum, tick) => sum + tick.room, 14);
  const inner_width = Math.max(40, width - left - right);
  if (diagram.equal) make_equal(range, axes[0].range, inner_width, inner_height);
  const along = (v) => (logarithmic ? Math.log10(v / range[0]) / Math.log10(range[1] / range[0]) : (v - range[0]) / (range[1] - range[0]));
  const px = (v) => left + inner_width * along(v);
  const py = axes.map(({ range: [low, high] }) => (v) => top + inner_height * (1 - (v - low) / (high - low)));

  const stroke_line = (x1, y1, x2, y2, color) => {
    pen.begin();
    pen.move(x1, y1);
    pen.line(x2, y2);
    pen.stroke(color, 1);
  };
  // the equal diagram has new ranges, and so new marks
  if (diagram.equal) {
    ticks[0].marks = marks_of(axes[0].range, inner_height / 40, false);
    ticks[0].texts = to_ticks(ticks[0].marks, ticks[0].marks.length > 1 ? ticks[0].marks[1] - ticks[0].marks[0] : 1);
  }
  const across = marks_of(range, inner_width / 80, logarithmic);
  const across_texts = logarithmic ? across.map(log_text) : to_ticks(across, across.length > 1 ? across[1] - across[0] : 1);
  across.forEach((mark, i) => {
    stroke_line(px(mark), top, px(mark), top + inner_height, theme.grid);
    pen.text(across_texts[i], px(mark), top + inner_height + 13, { color: theme.muted });
  });
  pen.text(diagram.x.label, left + inner_width / 2, top + inner_height + 33, { color: theme.muted });
  let edge = left + inner_width;
  ticks.forEach(({ marks, texts, room }, k) => {
    marks.forEach((mark, i) => {
      if (k === 0) stroke_line(left, py[k](mark), left + inner_width, py[k](mark), theme.grid);
      pen.text(texts[i], k === 0 ? left - 7 : edge + 7, py[k](mark), { color: theme.muted, anchor: k === 0 ? "end" : "start" });
    });
    pen.text(axes[k].label, k === 0 ? 9 : edge + room - 9, top + inner_height / 2, { color: theme.muted, turned: true });
    if (k > 0) edge += room;
  });
  if (options.titled && diagram.title)
    pen.text(diagram.title, left, 14, { color: theme.ink, anchor: "start", size: 14, bold: true });
  if (options.legend) draw_legend(pen, diagram, left, top - 12, theme);

  pen.clip(left, top, inner_width, inner_height);
  if (diagram.equal || options.axes_through_zero)
    for (const [x1, y1, x2, y2] of [
      [left, py[0](0), left + inner_width, py[0](0)],
      [px(0), top, px(0), top + inner_height],
    ])
      stroke_line(x1, y1, x2, y2, theme.muted);
  for (const curve of diagram.curves) {
    const place_y = py[curve.axis ?? 0];
    if (curve.points) {
      curve.x.forEach((x, i) => x !== null && curve.y[i] !== null && pen.mark(px(x), place_y(curve.y[i]), 3.5, curve.color));
      continue;
    }
    pen.begin();
    if (curve.time) trace_path(curve.time, curve.x, curve.y, pen, px, place_y);
    else if (!is_increasing(curve.x)) trace_plain(curve, pen, px, place_y);
    else if (logarithmic) trace_curve(curve.x.map(Math.log10), curve.y, pen, (v) => px(10 ** v), place_y);
    else trace_curve(curve.x, curve.y, pen, px, place_y);
    pen.stroke(curve.color, 1.75);
  }
  pen.unclip();
  return { left, top, width: inner_width, height: inner_height, px, py };
}

const is_increasing = (x) => x.every((value, i) => value !== null && (i === 0 || value >= x[i - 1]));

/// Points in the order in which they come.
function trace_plain({ x, y }, pen, px, py) {
  let down = false;
  for (let i = 0; i < x.length; ++i) {
    const present = x[i] !== null && y[i] !== null && Number.isFinite(x[i]) && Number.isFinite(y[i]);
    if (present) down ? pen.line(px(x[i]), py(y[i])) : pen.move(px(x[i]), py(y[i]));
    down = present;
  }
}

/// Widens one of two ranges until a unit is as long on both axes.
function make_equal(x, y, width, height) {
  const [wide, high] = [(x[1] - x[0]) / width, (y[1] - y[0]) / height];
  const stretch = (range, factor) => {
    const [middle, half] = [(range[0] + range[1]) / 2, ((range[1] - range[0]) / 2) * factor];
    [range[0], range[1]] = [middle - half, middle + half];
  };
  if (wide < high) stretch(x, high / wide);
  else stretch(y, wide / high);
}

function log_text(value) {
  const power = Math.round(Math.log10(value) * 1e6) / 1e6;
  return Math.abs(power) > 4 ? value.toExponential().replace("e+", "e").replace("-", "\u2212") : `${Number(value.toPrecision(3))}`;
}

function draw_legend(pen, diagram, left, y, theme) {
  let x = left;
  for (const curve of diagram.curves) {
    pen.box(x, y - 2, 14, 4, curve.color);
    pen.text(curve.name, x + 20, y, { color: theme.ink, anchor: "start" });
    x += 40 + 7 * curve.name.length;
  }
}
