/// A new element: `properties` are attributes, or listeners where the value is a function; `children` nodes or texts.
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== false && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const paths = {
  play: "M5 3.2v9.6L12.8 8z",
  pause: "M4.2 3h2.6v10H4.2zM9.2 3h2.6v10H9.2z",
  start: "M3.4 3h1.8v10H3.4zM12.8 3.2v9.6L6 8z",
  plus: "M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z",
  minus: "M3 7.2h10v1.6H3z",
  close: "M4.1 3 8 6.9 11.9 3 13 4.1 9.1 8l3.9 3.9-1.1 1.1L8 9.1 4.1 13 3 11.9 6.9 8 3 4.1z",
  fit: "M2.5 2.5h4V4H4v2.5H2.5zm7 0h4v4H12V4H9.5zM2.5 9.5H4V12h2.5v1.5h-4zm9.5 0h1.5v4h-4V12H12z",
};

/// A button with an icon and, after it, an optional visible text; `label` is what it does, in words.
export function button(icon, label, action, text) {
  const node = element("button", { type: "button", "aria-label": label, title: label, click: action });
  if (icon) node.append(draw_icon(icon));
  if (text) node.append(element("span", {}, text));
  return node;
}

export function draw_icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}
