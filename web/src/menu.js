import { button, element } from "./dom.js";
import { formats, save } from "./export.js";

/// A button that opens a short list: entries are [text, action].
export function menu(icon, label, entries) {
  const list = element(
    "div",
    { class: "entries", role: "menu", hidden: true },
    ...entries.map(([text, action]) =>
      element("button", { type: "button", role: "menuitem", click: () => (close(), action()) }, text),
    ),
  );
  const opener = button(icon, label, () => (list.hidden ? open() : close()));
  opener.setAttribute("aria-haspopup", "menu");
  const root = element("span", { class: "menu" }, opener, list);
  const outside = (event) => {
    if (event.type === "keydown" ? event.key === "Escape" : !root.contains(event.target)) close();
  };
  function open() {
    list.hidden = false;
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, outside);
  }
  function close() {
    list.hidden = true;
    for (const kind of ["pointerdown", "keydown"]) document.removeEventListener(kind, outside);
  }
  return root;
}

/// The files that a plot can become; `source()` is what it shows now.
export const save_menu = (source, theme) =>
  menu(
    "save",
    "save as a file",
    Object.keys(formats).map((format) => [format, () => save(format, source(), theme())]),
  );
