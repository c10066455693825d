// A unified diff, with line numbers and the words that differ.

import { el, visible } from "./dom.js";
import { say } from "./words.js";

// isDiff reports whether a text is one.
export const isDiff = (text) => /^(diff --git |--- )/m.test(text) && /^@@ /m.test(text);

// parse returns the files of a diff, each with its rows.
export function parse(text) {
  const files = [];
  let file, old = 0, now = 0;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const begin = (name) => files.push((file = { name, from: "", rows: [], added: 0, removed: 0, hunks: 0 }));
  for (let i = 0; i < lines.length; i++) {
    const l = lines[i];
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(l);
    if (l.startsWith("diff --git ")) begin("");
    else if (l.startsWith("--- ") && lines[i + 1]?.startsWith("+++ ")) {
      if (!file || file.hunks) begin("");
      const from = bare(l.slice(4)), to = bare(lines[++i].slice(4));
      file.name = to === "" ? from : to;
      file.kind = to === "" ? "deleted" : from === "" ? "created" : "";
    } else if (hunk) {
      if (!file) begin("");
      [old, now] = [+hunk[1], +hunk[2]];
      file.hunks++;
      file.rows.push({ kind: "hunk", text: l });
    } else if (file?.hunks && l[0] === "+") file.rows.push({ kind: "add", now: now++, text: l.slice(1) }), file.added++;
    else if (file?.hunks && l[0] === "-") file.rows.push({ kind: "del", old: old++, text: l.slice(1) }), file.removed++;
    else if (file?.hunks && (l[0] === " " || l === "")) file.rows.push({ kind: "", old: old++, now: now++, text: l.slice(1) });
    else if (file && l.startsWith("rename from ")) file.from = l.slice(12);
    else if (file && l.startsWith("rename to ")) file.name = l.slice(10);
    else if (file?.hunks) file.rows.push({ kind: "note", text: l });
    else if (file) file.rows.push({ kind: "note", text: l });
  }
  return files;
}

const bare = (name) => {
  name = name.split("\t")[0];
  return name === "/dev/null" ? "" : name.replace(/^"?[ab]\//, "").replace(/"$/, "");
};

// show returns the elements of a diff.
export function show(text) {
  return parse(text).map((f) => {
    pair(f.rows);
    return el("section.diff", { "aria-label": f.name },
      el("header", {},
        el("span.file", {}, f.from && [el("s", {}, ...visible(f.from)), " → "], ...visible(f.name)),
        f.kind && el("span.badge." + (f.kind === "deleted" ? "bad" : "good"), {}, f.kind),
        el("span.grow"),
        el("span.plus", { "aria-label": `${f.added} ${say("added")}` }, `+${f.added}`),
        el("span.minus", { "aria-label": `${f.removed} ${say("removed")}` }, `−${f.removed}`)),
      el("div.code", { tabindex: "0", role: "group", "aria-label": f.name },
        el("table", { role: "presentation" }, el("tbody", {}, f.rows.map(row)))));
  });
}

function row(r) {
  if (r.kind === "hunk" || r.kind === "note") return el("tr." + r.kind, {}, el("td.n"), el("td.n"), el("td.t", {}, ...visible(r.text)));
  const mark = { add: "+", del: "−" }[r.kind] ?? " ";
  const [a, b] = r.differs ?? [0, 0];
  const inner = b > a ? [visible(r.text.slice(0, a)), el("mark", {}, ...visible(r.text.slice(a, b))), visible(r.text.slice(b))] : visible(r.text);
  return el("tr." + (r.kind || "same"), {}, el("td.n", { "data-n": r.old ?? "" }), el("td.n", { "data-n": r.now ?? "" }), el("td.t", { "data-mark": mark }, inner));
}

// pair finds what differs in lines that stand for each other: as many that were added as
// were removed.
function pair(rows) {
  for (let i = 0; i < rows.length; ) {
    let d = i;
    while (rows[d]?.kind === "del") d++;
    let a = d;
    while (rows[a]?.kind === "add") a++;
    const n = d - i;
    if (n > 0 && n === a - d) for (let k = 0; k < n; k++) mark(rows[i + k], rows[d + k]);
    i = Math.max(a, i + 1);
  }
}

function mark(x, y) {
  let head = 0;
  const [a, b] = [x.text, y.text];
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  if (head + tail < Math.min(a.length, b.length) * 0.3) return; // they have nothing to do with each other
  while (head > 0 && /\w/.test(a[head - 1]) && /\w/.test(a[head] ?? b[head] ?? "")) head--; // whole words
  while (tail > 0 && /\w/.test(a[a.length - tail]) && /\w/.test(a[a.length - tail - 1] ?? "")) tail--;
  x.differs = [head, a.length - tail];
  y.differs = [head, b.length - tail];
}

// shell returns a command line with its parts in colour. It only helps to read: nothing is
// left out, whatever it takes the parts for.
export function shell(text) {
  const part = /(#[^\n]*|'[^']*'|"(?:\\.|[^"\\])*"|\$\{[^}]*\}|\$\w+|&&|\|\||[|;&<>]+|(?<=^|[\s|;&(])--?[\w-]+)/gm;
  const nodes = [];
  let from = 0;
  for (const m of text.matchAll(part)) {
    const c = m[0][0];
    const kind = c === "#" ? (m.index === 0 || /\s/.test(text[m.index - 1]) ? "com" : "") : c === "'" || c === '"' ? "str" : c === "$" ? "var" : c === "-" ? "opt" : "op";
    nodes.push(visible(text.slice(from, m.index)), kind ? el("span." + kind, {}, ...visible(m[0])) : visible(m[0]));
    from = m.index + m[0].length;
  }
  nodes.push(visible(text.slice(from)));
  return el("pre.shell", { tabindex: "0" }, nodes);
}
