import { canvas_pen, draw_diagram } from "./diagram.js";
import { button, element } from "./dom.js";
import { save_menu } from "./menu.js";
import { nearest_index, to_text, with_unit } from "./numbers.js";

const height = 250;

/// A card with a diagram on a canvas: title, names of the curves, and what the pointer is at.
class Panel {
  constructor(title, shared, remove) {
    this.title = title;
    this.shared = shared;
    this.legend = element("ul", { class: "legend" });
    this.reading = element("output", { class: "pointed" });
    this.canvas = element("canvas", {});
    this.area = element("div", { class: "area", role: "img" }, this.canvas);
    const tools = element(
      "div",
      { class: "tools" },
      save_menu(() => this.source(), shared.theme),
      remove ? button("close", "remove this plot", remove) : null,
    );
    this.root = element(
      "section",
      { class: "card plot" },
      title ? element("h2", {}, title) : null,
      element("div", { class: "row top" }, this.legend, this.reading, tools),
      this.area,
    );
    this.area.addEventListener("pointermove", (event) => this.#point_at(event));
    this.area.addEventListener("pointerleave", () => (this.reading.textContent = ""));
    this.resizer = new ResizeObserver(() => this.draw());
    this.resizer.observe(this.area);
  }

  draw() {
    const width = Math.max(200, this.area.clientWidth);
    const ratio = Math.min(2, devicePixelRatio);
    Object.assign(this.canvas, { width: ratio * width, height: ratio * this.height() });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${this.height()}px` });
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    this.diagram = this.make_diagram();
    this.area.setAttribute("aria-label", this.describe());
    this.legend.replaceChildren(
      ...this.diagram.curves.map((curve) =>
        element(
          "li",
          { class: "entry" },
          element("span", { class: "chip", style: `background:${curve.color}` }),
          element("span", { class: "name" }, curve.name),
        ),
      ),
    );
    this.places = draw_diagram(canvas_pen(context), this.diagram, { width, height: this.height() }, this.shared.theme());
    this.show_time();
  }

  height() {
    return this.diagram?.equal || this.is_square ? 360 : height;
  }
  color(i) {
    const { series } = this.shared.theme();
    return series[i % series.length];
  }
  show_time() {}
  zoom() {}
  remove() {
    this.resizer.disconnect();
    this.root.remove();
  }

  /// Tells the point of a curve that is nearest to the pointer.
  #point_at(event) {
    if (!this.places) return;
    const area = this.area.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    let best = { distance: 30 ** 2 };
    for (const curve of this.diagram.curves)
      for (let i = 0; i < curve.x.length; ++i) {
        if (curve.x[i] === null || curve.y[i] === null) continue;
        const [dx, dy] = [this.places.px(curve.x[i]) - x, this.places.py[curve.axis ?? 0](curve.y[i]) - y];
        const distance = dx * dx + dy * dy;
        if (distance < best.distance) best = { distance, curve, i };
      }
    this.reading.textContent = best.curve
      ? `${best.curve.name}: ${this.tell(best.curve.x[best.i], best.curve.y[best.i])}`
      : "";
    if (best.curve) this.pointed?.(best.i);
  }
  tell(x, y) {
    return `${to_text(x)}, ${to_text(y)}`;
  }
}

/// Signals over another signal, with a mark at the time of the clock.
export class XyPlot extends Panel {
  constructor(spec, x, signals, shared) {
    super(spec.title, shared, () => shared.remove(this));
    Object.assign(this, { x, signals, is_square: true });
    this.dots = signals.map((_, i) => element("i", { class: "dot", style: `background:${this.color(i)}` }));
    this.area.append(...this.dots);
  }

  describe() {
    return `${this.signals.map((signal) => signal.name).join(", ")} over ${this.x.name}`;
  }

  make_diagram() {
    const units = [...new Set(this.signals.map((signal) => signal.unit))];
    const in_unit = ({ name, unit }) => (unit && unit !== "1" ? `${name} [${unit}]` : name);
    return {
      title: this.title || this.describe(),
      x: { label: in_unit(this.x) },
      axes: units.map((unit) => ({ label: unit && unit !== "1" ? `[${unit}]` : "[–]" })),
      // lengths over lengths show the true form of a path
      equal: units.length === 1 && units[0] === this.x.unit && /^[kcmµun]?m$/.test(units[0]),
      curves: this.signals.map((signal, i) => ({
        name: signal.name,
        color: this.color(i),
        x: this.x.values,
        y: signal.values,
        axis: units.indexOf(signal.unit),
        time: this.shared.time,
      })),
    };
  }

  source() {
    return {
      name: this.title || this.describe(),
      diagram: this.make_diagram(),
      table: {
        columns: [["time", "s", this.shared.time], ...[this.x, ...this.signals].map((s) => [s.name, s.unit, s.values])],
      },
    };
  }

  tell(x, y) {
    return `${with_unit(x, this.x.unit)}, ${to_text(y)}`;
  }
  pointed(i) {
    if (!this.shared.clock.playing) this.shared.clock.set(this.shared.time[i]);
  }

  show_time() {
    if (!this.places) return;
    const i = nearest_index(this.shared.time, this.shared.clock.time);
    this.dots.forEach((dot, k) => {
      const curve = this.diagram.curves[k];
      const known = curve.x[i] !== null && curve.y[i] !== null;
      dot.hidden = !known;
      if (known)
        dot.style.transform = `translate(${this.places.px(curve.x[i])}px, ${this.places.py[curve.axis](curve.y[i])}px)`;
    });
  }
}

/// A diagram of the report that has no time: frequency responses, poles, sweeps.
export class Chart extends Panel {
  constructor(chart, shared) {
    super(chart.title, shared);
    this.chart = chart;
  }
  describe() {
    return `${this.chart.title}: ${this.chart.yLabel} over ${this.chart.xLabel}`;
  }
  make_diagram() {
    const { title, xLabel, yLabel, logarithmic, equal, curves } = this.chart;
    return {
      title,
      x: { label: xLabel, logarithmic, tight: logarithmic },
      axes: [{ label: yLabel }],
      equal,
      curves: curves.map((curve, i) => ({ ...curve, color: this.color(i), axis: 0 })),
    };
  }
  source() {
    const { title, xLabel, yLabel, curves } = this.chart;
    const columns = curves.flatMap(({ name, x, y }) => [
      [`${name} ${xLabel}`, "", x],
      [`${name} ${yLabel}`, "", y],
    ]);
    return { name: title, diagram: this.make_diagram(), table: { columns } };
  }
}
