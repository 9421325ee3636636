import uPlot from "uplot";
import { pad_range } from "./diagram.js";
import { button, element } from "./dom.js";
import { save_menu } from "./menu.js";
import { is_dimensionless, nearest_index, to_text, to_ticks, with_unit } from "./numbers.js";
import { trace_curve } from "./paths.js";

const height = 250;

/// One plot: a legend that shows the values at the marked time, above curves over time. Signals of one unit share an axis.
/// `shared` is what all plots have in common: { time, clock, theme(), zoomed(range, plot), edit(plot), remove(plot) }.
export class Plot {
  constructor(title, signals, shared) {
    this.title = title;
    this.signals = signals;
    this.shared = shared;
    this.hidden = new Set();
    this.legend = element("ul", { class: "legend" });
    this.area = element("div", { class: "area", role: "img" });
    const tools = element(
      "div",
      { class: "tools" },
      save_menu(() => this.source(), shared.theme),
      button("plus", "change the signals of this plot", () => shared.edit(this)),
      button("close", "remove this plot", () => shared.remove(this)),
    );
    this.root = element(
      "section",
      { class: "card plot" },
      title ? element("h2", {}, title) : null,
      element("div", { class: "row top" }, this.legend, tools),
      this.area,
    );
    this.resizer = new ResizeObserver(() => this.fit());
    this.resizer.observe(this.area);
  }

  /// Draws anew with the present signals and colours over the x range [min, max], or all of it.
  draw(range) {
    this.chart?.destroy();
    const units = [...new Set(this.signals.map((signal) => signal.unit))];
    const data = [this.shared.time, ...this.signals.map((signal) => signal.values)];
    this.area.setAttribute("aria-label", `${this.signals.map((signal) => signal.name).join(", ")} over time`);
    this.#make_legend();
    this.chart = new uPlot(this.#options(units), data, this.area);
    this.#make_marker();
    if (range) this.zoom(range);
    this.show_time();
  }

  zoom([min, max]) {
    this.quiet = true;
    this.chart.setScale("x", { min, max });
    this.quiet = false;
  }

  fit() {
    if (this.chart && this.area.clientWidth > 0) this.chart.setSize({ width: this.area.clientWidth, height });
  }

  remove() {
    this.resizer.disconnect();
    this.chart?.destroy();
    this.root.remove();
  }

  /// What the plot shows now, for a file: the curves that are not hidden, over the time that is in sight.
  source() {
    const shown = this.signals.map((signal, i) => [signal, i]).filter(([signal]) => !this.hidden.has(signal.name));
    const units = [...new Set(shown.map(([signal]) => signal.unit))];
    const { min, max } = this.chart.scales.x;
    const { time } = this.shared;
    return {
      name: this.title || this.signals.map((signal) => signal.name).join(" "),
      diagram: {
        title: this.title || "",
        x: { label: "time [s]", range: [min, max] },
        axes: units.map((unit) => {
          const scale = this.chart.scales[scale_of(unit)];
          return { label: is_dimensionless(unit) ? "[–]" : `[${unit}]`, range: [scale.min, scale.max] };
        }),
        curves: shown.map(([signal, i]) => ({
          name: signal.name,
          color: this.color(i),
          x: time,
          y: signal.values,
          axis: units.indexOf(signal.unit),
        })),
      },
      table: { columns: [["time", "s", time], ...shown.map(([signal]) => [signal.name, signal.unit, signal.values])] },
    };
  }

  /// Puts the marker and the values of the legend to the time of the clock.
  show_time() {
    const { time, clock } = this.shared;
    if (!this.chart || time.length === 0) return;
    const x = this.chart.valToPos(clock.time, "x");
    const width = this.chart.over.clientWidth;
    this.marker.hidden = !(x >= -0.5 && x <= width + 0.5);
    this.marker.style.transform = `translateX(${x}px)`;
    const index = nearest_index(time, clock.time);
    this.signals.forEach((signal, i) => {
      const value = signal.values[index];
      const text = to_text(value);
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
      const shown = value !== null && !this.hidden.has(signal.name);
      this.dots[i].hidden = !shown;
      if (shown) this.dots[i].style.transform = `translateY(${this.chart.valToPos(value, scale_of(signal.unit))}px)`;
    });
  }

  color(i) {
    const { series } = this.shared.theme();
    return series[i % series.length];
  }

  #make_legend() {
    this.values = this.signals.map(() => element("output", {}));
    const items = this.signals.map((signal, i) => {
      const shown = !this.hidden.has(signal.name);
      const unit = is_dimensionless(signal.unit) ? "" : signal.unit;
      const chip = element("span", { class: "chip", style: `background:${this.color(i)}` });
      const name = element("span", { class: "name" }, signal.name);
      const reading = element(
        "span",
        { class: "reading", style: `min-width:${9 + unit.length}ch` },
        this.values[i],
        element("span", { class: "unit" }, unit),
      );
      const toggle = element(
        "button",
        { type: "button", "aria-pressed": String(shown), title: legend_title(signal), click: () => this.#toggle(i) },
        chip,
        name,
        reading,
      );
      return element("li", {}, toggle);
    });
    this.legend.replaceChildren(...items);
  }

  #toggle(i) {
    const { name } = this.signals[i];
    const shown = this.hidden.delete(name);
    if (!shown) this.hidden.add(name);
    this.legend.children[i].firstChild.setAttribute("aria-pressed", String(shown));
    this.chart.setSeries(i + 1, { show: shown });
    this.show_time();
  }

  #make_marker() {
    this.dots = this.signals.map((_, i) => element("i", { style: `background:${this.color(i)}` }));
    this.marker = element("div", { class: "marker", "aria-hidden": "true" }, ...this.dots);
    this.chart.over.append(this.marker);
  }

  #options(units) {
    const { clock, time } = this.shared;
    const scales = { x: { time: false } };
    for (const unit of units) scales[scale_of(unit)] = { range: (_, min, max) => (min === null ? [0, 1] : pad_range(min, max)) };
    return {
      width: Math.max(200, this.area.clientWidth),
      height,
      legend: { show: false },
      scales,
      padding: [12, units.length > 1 ? 0 : 14, 0, 0],
      series: [{}, ...this.signals.map((signal, i) => this.#series(signal, i))],
      axes: [
        this.#axis({ label: "time [s]", size: 34, space: 70 }),
        ...units.map((unit, i) => this.#value_axis(unit, i, units.length)),
      ],
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: true, uni: 40 } },
      hooks: {
        setScale: [(chart, key) => this.#scaled(chart, key)],
        draw: [() => this.marker && this.show_time()],
        setCursor: [
          (chart) => {
            const { left, idx } = chart.cursor;
            if (left >= 0 && idx !== null && idx !== undefined && !clock.playing) clock.set(time[idx]);
          },
        ],
      },
    };
  }

  #series(signal, i) {
    const color = this.color(i);
    return {
      scale: scale_of(signal.unit),
      stroke: color,
      width: 1.75,
      show: !this.hidden.has(signal.name),
      points: { size: 5, fill: color },
      paths: smooth_path,
    };
  }

  /// The first unit stands on the left, the others on the right; an axis of one signal among several units has its colour.
  #value_axis(unit, i, count) {
    const owners = this.signals.map((_, k) => k).filter((k) => this.signals[k].unit === unit);
    const axis = this.#axis({
      scale: scale_of(unit),
      side: i === 0 ? 3 : 1,
      label: is_dimensionless(unit) ? "[–]" : `[${unit}]`,
      size: fit_axis,
      space: 36,
    });
    if (i > 0) axis.grid = { show: false };
    if (count > 1 && owners.length === 1) axis.stroke = this.color(owners[0]);
    return axis;
  }

  #axis(options) {
    const { muted, grid } = this.shared.theme();
    const line = { stroke: grid, width: 1 };
    return {
      stroke: muted,
      grid: line,
      ticks: { ...line, size: 4 },
      gap: 5,
      font,
      labelFont: font,
      labelSize: 18,
      labelGap: 0,
      values: (_, splits, _axis, _space, step) => to_ticks(splits, step),
      ...options,
    };
  }

  /// Notes the ranges of the time and of the left axis in the page, and passes a new time range on.
  #scaled(chart, key) {
    const { min, max } = chart.scales[key];
    const axis = { x: "x", [scale_of(this.signals[0].unit)]: "y" }[key];
    if (axis) this.root.dataset[`${axis}Range`] = `${min} ${max}`;
    if (key === "x" && !this.quiet && this.chart === chart) this.shared.zoomed([min, max], this);
  }
}

const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const scale_of = (unit) => `in ${unit}`;
const legend_title = (signal) =>
  `${signal.help ? `${signal.help}\n` : ""}click to hide or show; range ${range_text(signal)}`;

function range_text(signal) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of signal.values) {
    if (value === null) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? "empty" : `${to_text(low)} … ${with_unit(high, signal.unit)}`;
}

const straight_path = uPlot.paths.linear();

/// Draws one curve as a smooth path of the canvas; where points stand nearer than pixels, as straight lines.
function smooth_path(chart, index, first, last) {
  if (last - first > 2 * chart.bbox.width) return straight_path(chart, index, first, last);
  const stroke = new Path2D();
  const pen = {
    move: (x, y) => stroke.moveTo(x, y),
    line: (x, y) => stroke.lineTo(x, y),
    curve: (...points) => stroke.bezierCurveTo(...points),
  };
  const { scale } = chart.series[index];
  const px = (x) => chart.valToPos(x, "x", true);
  const py = (y) => chart.valToPos(y, scale, true);
  trace_curve(chart.data[0], chart.data[index], pen, px, py, [Math.max(0, first - 1), Math.min(chart.data[0].length - 1, last + 1)]);
  return { stroke, fill: null, clip: null, band: null, gaps: null, flags: 1 };
}

function fit_axis(chart, texts, index, cycle) {
  const axis = chart.axes[index];
  if (cycle > 1) return axis._size;
  chart.ctx.font = axis.font[0];
  const widest = Math.max(0, ...(texts ?? []).map((text) => chart.ctx.measureText(text).width)) / devicePixelRatio;
  return Math.ceil(Math.max(34, widest) + axis.gap + axis.ticks.size + 2);
}
