import { element } from "./dom.js";

/// Title, description and how the run ended.
export function make_header(data) {
  const header = element("header", { class: "top" });
  const title = element("h1", {}, data.title || "coenergy report");
  header.append(
    element("div", { class: "titles" }, title, data.description ? element("p", {}, data.description) : null),
  );
  if (data.ended) {
    const kind = data.succeeded ? "good" : "bad";
    header.append(
      element("p", { class: `ended ${kind}`, role: "status" }, element("span", { "aria-hidden": "true" }), data.ended),
    );
  }
  return header;
}

export function make_messages(messages) {
  const list = element("ul", {}, ...messages.map((text) => element("li", {}, text)));
  const heading = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  return element("section", { class: "messages", "aria-label": "messages" }, element("h2", {}, heading), list);
}

/// The figures of the run as a grid of names and values.
export function make_summary(pairs) {
  const cells = pairs.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element("dl", { class: "summary", "aria-label": "summary" }, ...cells);
}

const is_number = (text) => /^[-−+]?(\d|\.\d|inf|nan)/i.test(text.trim());

export function make_table(table) {
  // columns of numbers stand to the right
  const numeric = table.columns.map(
    (_, i) => table.rows.length > 0 && table.rows.every((row) => row[i] === "" || is_number(row[i])),
  );
  const kind = (i) => (numeric[i] ? "number" : "text");
  const head = table.columns.map((text, i) => element("th", { scope: "col", class: kind(i) }, text));
  const rows = table.rows.map((row) =>
    element("tr", {}, ...row.map((text, i) => element("td", { class: kind(i) }, text))),
  );
  const body = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  const heading = element("h2", {}, table.title);
  return element(
    "section",
    { class: "card table" },
    heading,
    element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": table.title }, body),
  );
}
