import { button, element } from "./dom.js";
import { is_dimensionless } from "./numbers.js";

const shown_at_most = 300;

/// A dialog to search and choose signals. `choose(title, chosen)` opens it with the names in `chosen` ticked and
/// promises the names ticked at the end, or nothing if it was closed.
export class Picker {
  constructor(signals) {
    this.signals = signals;
    this.search = element("input", {
      type: "search",
      placeholder: "search by name, unit or meaning",
      "aria-label": "search signals",
      input: () => this.#list(),
    });
    this.list = element("div", { class: "choices", role: "group", "aria-label": "signals" });
    this.title = element("h2", {});
    this.accept = element("button", { type: "submit", class: "primary" });
    const head = element(
      "div",
      { class: "row" },
      this.title,
      button("close", "close", () => this.dialog.close()),
    );
    const form = element(
      "form",
      { method: "dialog", submit: () => this.done([...this.chosen]) },
      head,
      this.search,
      this.list,
      element("div", { class: "row end" }, this.accept),
    );
    this.dialog = element("dialog", { class: "picker", close: () => this.done(null) }, form);
  }

  choose(title, chosen = []) {
    this.title.textContent = title;
    this.chosen = new Set(chosen);
    this.search.value = "";
    this.#list();
    this.dialog.showModal();
    this.search.focus();
    return new Promise((resolve) => (this.done = resolve));
  }

  #list() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.signals.filter((signal) => {
      const text = `${signal.name} ${signal.unit} ${signal.help ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.list.replaceChildren(...found.slice(0, shown_at_most).map((signal) => this.#choice(signal)));
    const rest = found.length - shown_at_most;
    if (rest > 0) this.list.append(element("p", {}, `and ${rest} more: search for a part of the name`));
    if (found.length === 0) this.list.append(element("p", {}, "no signal matches"));
    this.#count();
  }

  #choice(signal) {
    const box = element("input", {
      type: "checkbox",
      change: () => {
        if (box.checked) this.chosen.add(signal.name);
        else this.chosen.delete(signal.name);
        this.#count();
      },
    });
    box.checked = this.chosen.has(signal.name);
    const unit = is_dimensionless(signal.unit) ? "" : signal.unit;
    return element(
      "label",
      { title: signal.help },
      box,
      element("span", { class: "name" }, signal.name),
      element("span", { class: "unit" }, unit),
    );
  }

  #count() {
    const count = this.chosen.size;
    this.accept.disabled = count === 0;
    this.accept.textContent = count === 0 ? "Plot" : `Plot ${count} signal${count > 1 ? "s" : ""}`;
  }
}
