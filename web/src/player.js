import { button, draw_icon, element } from "./dom.js";
import { first_after } from "./numbers.js";

/// Play and pause, a slider of time, and the speed.
export function make_player(clock, times) {
  const duration = clock.end - clock.start;
  const toggle = () => (clock.playing ? clock.pause() : clock.play());
  const play = button("play", "play", toggle);
  play.classList.add("primary", "round");
  const slider = element("input", {
    type: "range",
    "aria-label": "time",
    min: clock.start,
    max: clock.end,
    step: duration > 0 ? duration / 1000 : 1,
  });
  slider.addEventListener("input", () => {
    if (clock.playing) clock.pause();
    clock.set(Number(slider.value));
  });
  const decimals = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(duration || 1))));
  const shown = element("output", { class: "time" });
  const root = element(
    "div",
    { class: "player" },
    button("start", "back to the start", () => clock.set(clock.start)),
    button("back", "one row back (comma)", () => step_row(clock, times, -1)),
    play,
    button("forward", "one row forward (full stop)", () => step_row(clock, times, 1)),
    slider,
    shown,
    make_loop(clock),
    make_speeds(clock),
  );

  let playing = null;
  clock.watch(() => {
    const text = `${clock.time.toFixed(decimals)} s`;
    shown.textContent = text;
    slider.value = clock.time;
    slider.style.setProperty("--part", duration > 0 ? (clock.time - clock.start) / duration : 0);
    slider.setAttribute("aria-valuetext", text);
    if (playing === clock.playing) return;
    playing = clock.playing;
    play.replaceChildren(draw_icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "pause" : "play");
    play.title = playing ? "pause (space)" : "play (space)";
  });
  add_keys(clock, toggle, times);
  return root;
}

/// To the next or the last time of the run that is not this one: events have two rows at one time.
function step_row(clock, times, by) {
  clock.pause();
  const tiny = 1e-12 * (clock.end - clock.start);
  if (by > 0) {
    const next = times.find((time) => time > clock.time + tiny);
    clock.set(next ?? clock.end);
  } else {
    const before = first_after(times, clock.time - tiny) - 1;
    clock.set(times[before] < clock.time - tiny ? times[before] : times[Math.max(0, before - 1)]);
  }
}

function make_loop(clock) {
  const toggle = button("loop", "begin again at the end", () => {
    clock.loop = !clock.loop;
    toggle.setAttribute("aria-pressed", String(clock.loop));
  });
  toggle.setAttribute("aria-pressed", String(clock.loop));
  return toggle;
}

function make_speeds(clock) {
  const speeds = [
    ...new Set([0.1, 0.25, 0.5, 1, 2, 5, 10].map((factor) => Number((factor * clock.speed).toPrecision(3))).concat(1)),
  ].sort((a, b) => a - b);
  const choices = speeds.map((speed) =>
    element("option", { value: speed, selected: speed === clock.speed }, speed === 1 ? "real time" : `× ${speed}`),
  );
  return element(
    "select",
    { "aria-label": "speed", title: "speed", change: (event) => (clock.speed = Number(event.target.value)) },
    ...choices,
  );
}

/// Space plays and pauses, the comma and the full stop step; not while something else has the keyboard.
function add_keys(clock, toggle, times) {
  document.addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target.closest("input, select, button, dialog, .scroll")
    )
      return;
    if (event.key === " ") toggle();
    else if (event.key === ",") step_row(clock, times, -1);
    else if (event.key === ".") step_row(clock, times, 1);
    else return;
    event.preventDefault();
  });
}
