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
  save: "M7.2 2h1.6v6l2-2 1.1 1.1L8 11 4.1 7.1 5.2 6l2 2zM3 12.4h10V14H3z",
  back: "M11.8 3.2v9.6L4.2 8zM3 3h1.2v10H3z",
  forward: "M4.2 3.2v9.6L11.8 8zM11.8 3H13v10h-1.2z",
  loop: "M8 3V1l3.2 2.7L8 6.4V4.6A3.5 3.5 0 1 0 11.5 8h1.6A5.1 5.1 0 1 1 8 3z",
  eye: "M8 3.5c3 0 5.4 1.8 6.6 4.5C13.4 10.700 11 12.5 8 12.5S2.600 10.700 1.400 8C2.600 5.300 5 3.500 8 3.500zm0 1.600a2.900 2.900 0 1 0 0 5.800 2.900 2.900 0 0 0 0-5.800z",
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
