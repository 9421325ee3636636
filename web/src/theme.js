/// The colours of the page as the style sheet states them now: { ink, muted, line, panel, … , series: [...] }.
export function read_theme() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  const series = value("series").split(/\s+/);
  return {
    ink: value("ink"),
    muted: value("muted"),
    line: value("line"),
    grid: value("grid"),
    panel: value("panel"),
    stage: value("stage"),
    series,
  };
}

/// Calls `listener` whenever the colours change; paper is always light.
export function watch_theme(listener) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
  const set = (paper) => {
    document.documentElement.classList.toggle("paper", paper);
    listener();
  };
  addEventListener("beforeprint", () => set(true));
  addEventListener("afterprint", () => set(false));
}
