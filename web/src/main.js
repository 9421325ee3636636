import { Clock } from "./clock.js";
import { element } from "./dom.js";
import { make_player } from "./player.js";
import { Chart } from "./panel.js";
import { Plots } from "./plots.js";
import { Stage } from "./stage.js";
import { make_header, make_messages, make_summary, make_table } from "./summary.js";
import { read_theme, watch_theme } from "./theme.js";

/// The panel with the 3-D view and its player.
function make_view(stage, clock, times) {
  const missing = element(
    "p",
    { class: "missing", role: "note" },
    "The 3-D view needs WebGL 2, which this browser does not offer here. Plots and tables are complete without it.",
  );
  const player = clock.end > clock.start ? make_player(clock, times) : null;
  return element("section", { class: "card view", "aria-label": "3-D view" }, stage?.root ?? missing, player);
}

function make_footer(data) {
  const drawn = data.time.length;
  const thinned =
    drawn < data.samples ? `; ${drawn} of ${data.samples} output times are drawn, with every extreme value kept` : "";
  return element("footer", {}, `Written by coenergy. Units are SI unless shown otherwise${thinned}.`);
}

function start(data) {
  document.title = data.title || document.title;
  const clock = new Clock(data.time[0] ?? 0, data.time[data.time.length - 1] ?? 0);
  const has_view = data.shapes.length > 0;
  const has_plots = data.signals.length > 0 && data.time.length > 0;
  const stage = has_view ? Stage.make(data, clock) : null;
  const plots = has_plots ? new Plots(data, clock) : null;
  const charts = (data.charts ?? []).map((chart) => new Chart(chart, { theme: read_theme, clock }));

  // the page from top to bottom
  const page = document.getElementById("page");
  page.append(make_header(data));
  if (data.messages.length > 0) page.append(make_messages(data.messages));
  if (data.summary.length > 0) page.append(make_summary(data.summary));
  const main = element("main", { class: has_view && has_plots ? "two" : "one" });
  if (has_view) main.append(make_view(stage, clock, data.frameTime.length > 0 ? data.frameTime : data.time));
  if (plots) main.append(plots.root);
  if (main.childElementCount > 0) page.append(main);
  if (charts.length > 0) page.append(element("div", { class: "plots charts" }, ...charts.map((chart) => chart.root)));
  if (data.tables.length > 0) page.append(element("div", { class: "tables" }, ...data.tables.map(make_table)));
  page.append(make_footer(data));

  // pictures need the layout
  plots?.start();
  charts.forEach((chart) => chart.draw());
  stage?.start();
  watch_theme(() => {
    plots?.redraw();
    charts.forEach((chart) => chart.draw());
    stage?.redraw();
  });
  document.documentElement.dataset.ready = "true";
}

start(JSON.parse(document.getElementById("coenergy-data").textContent));
