import { button, element } from "./dom.js";
import { Picker } from "./picker.js";
import { XyPlot } from "./panel.js";
import { Plot } from "./plot.js";
import { is_dimensionless } from "./numbers.js";
import { read_theme } from "./theme.js";

/// All plots: one common time range and one common marked time, and the buttons that add plots and zoom.
export class Plots {
  constructor(data, clock) {
    this.data = data;
    this.clock = clock;
    this.byName = new Map(data.signals.map((signal) => [signal.name, signal]));
    this.full = widen(data.time[0], data.time[data.time.length - 1]);
    this.range = this.full;
    this.theme = read_theme();
    this.plots = [];
    this.picker = new Picker(data.signals);
    this.grid = element("div", { class: "plots" });
    this.root = element(
      "section",
      { class: "results", "aria-label": "plots" },
      this.#toolbar(),
      this.grid,
      this.picker.dialog,
    );
    this.shared = {
      time: data.time,
      clock,
      theme: () => this.theme,
      zoomed: (range, from) => this.zoom(range, from),
      edit: (plot) => this.#edit(plot),
      remove: (plot) => this.#remove(plot),
    };
  }

  /// Draws the plots that the report asks for; to be called when the page is laid out.
  start() {
    const wanted = this.data.plots.filter((plot) => plot.signals.length > 0);
    for (const plot of wanted.length > 0 ? wanted : choose_groups(this.data.signals)) this.add(plot);
    this.clock.watch(() => this.plots.forEach((plot) => plot.show_time()));
  }

  /// A plot as the report describes it: { signals, x, title, yAxis, xAxis }.
  add(spec) {
    const signals = spec.signals.map((name) => in_unit(this.byName.get(name), spec.yAxis));
    const plot = spec.x
      ? new XyPlot(spec, in_unit(this.byName.get(spec.x), spec.xAxis), signals, this.shared)
      : new Plot(spec.title, signals, this.shared);
    this.plots.push(plot);
    this.grid.append(plot.root);
    plot.draw(this.range);
    return plot;
  }

  zoom(range, from) {
    this.range = range;
    this.reset.disabled = range[0] <= this.full[0] && range[1] >= this.full[1];
    for (const plot of this.plots) if (plot !== from) plot.zoom(range);
  }

  redraw() {
    this.theme = read_theme();
    for (const plot of this.plots) plot.draw(this.range);
  }

  #toolbar() {
    this.reset = button(
      "fit",
      "show the whole time (or double-click a plot)",
      () => this.zoom(this.full),
      "Reset zoom",
    );
    this.reset.disabled = true;
    const scale = (factor) => () => this.#scale(factor);
    const hint = element(
      "p",
      { class: "hint" },
      "Drag in a plot to zoom, double-click to reset, point to read values.",
    );
    const tools = element(
      "div",
      { class: "tools" },
      button("minus", "show twice the time", scale(2)),
      button("plus", "show half the time", scale(0.5)),
      this.reset,
      button("plus", "add a plot of any signals", () => this.#create(), "Add plot"),
    );
    return element("div", { class: "row bar" }, hint, tools);
  }

  /// Stretches the time range about the marked time, or about its middle if that is out of sight.
  #scale(factor) {
    const [min, max] = this.range;
    const { time } = this.clock;
    const centre = time >= min && time <= max ? time : (min + max) / 2;
    const low = Math.max(this.full[0], centre - factor * (centre - min));
    const high = Math.min(this.full[1], centre + factor * (max - centre));
    this.zoom(low < high ? [low, high] : this.full);
  }

  async #create() {
    const names = await this.picker.choose("Add a plot");
    if (names?.length) this.add({ signals: names }).root.scrollIntoView({ behavior: "smooth", block: "nearest" });
  }

  async #edit(plot) {
    const names = await this.picker.choose(
      "Signals of this plot",
      plot.signals.map((signal) => signal.name),
    );
    if (!names?.length) return;
    plot.signals = names.map((name) => this.byName.get(name));
    plot.draw(this.range);
  }

  #remove(plot) {
    plot.remove();
    this.plots = this.plots.filter((other) => other !== plot);
  }
}

/// A single instant stands in the middle of one second.
const widen = (start, end) => (end > start ? [start, end] : [start - 0.5, start + 0.5]);

/// Without a wish of the report: the first signals, those of one unit together.
function choose_groups(signals) {
  const groups = new Map();
  for (const signal of signals.slice(0, 12)) {
    const key = is_dimensionless(signal.unit) ? "" : signal.unit;
    groups.set(key, [...(groups.get(key) ?? []), signal.name]);
  }
  return [...groups.values()].map((signals) => ({ signals }));
}

/// The signal in the unit of an axis { unit, scale, shift }; as it is without one.
function in_unit(signal, axis) {
  if (!axis?.unit) return signal;
  const values = signal.values.map((value) => (value === null ? null : value / axis.scale - axis.shift));
  return { ...signal, unit: axis.unit, values };
}
