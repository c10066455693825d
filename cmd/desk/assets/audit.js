// The audit log: any number of records, of which those in sight are elements.

import { call } from "./api.js";
import { badge, el, fill, lasted, line, moment, visible, when } from "./dom.js";
import { say } from "./words.js";

const height = 28; // of a row, in pixels; also in the style sheet
const size = 200; // records of a page
const spare = 12; // rows above and below those in sight

let app, grid, rows, count, side, fresh, form;
let filter = {};
let drawn = new Map(); // the rows in sight, by the positions of their records
let pages = new Map(); // by number, from the oldest record on
let matched = 0, total = 0, dropped = 0, seenTop = 0, at = -1, generation = 0, waiting = new Map();

export const view = { name: "audit", topics: ["audit"], open, load, keys };

function open(to, main) {
  app = to;
  const choice = (name, first, all = []) => el("select", { name, "aria-label": first, onchange: change }, el("option", { value: "" }, first), all.map(([v, t]) => el("option", { value: v }, t)));
  form = el("form.filters", { role: "search", onsubmit: (e) => e.preventDefault() },
    el("input", { type: "search", name: "text", id: "search", placeholder: say("search"), "aria-label": say("search"), oninput: soon, autocomplete: "off" }),
    choice("tool", say("anyTool")),
    choice("event", say("anyEvent"), ["proposed", "decided", "executed", "answered"].map((e) => [e, e])),
    choice("outcome", say("anyOutcome"), [["ok", say("okOnly")], ["failed", say("failedOnly")]]),
    choice("session", say("anySession")),
    el("span.grow"), (count = el("span.small", { role: "status", id: "count" })));
  for (const [k, v] of Object.entries(filter)) if (form.elements[k]) form.elements[k].value = v;
  rows = el("div.rows", { role: "rowgroup" });
  const col = (name, text) => el(`span.${name}`, { role: "columnheader" }, text);
  grid = el("div.grid", { role: "grid", tabindex: "0", id: "grid", "aria-label": say("audit"), onscroll: () => requestAnimationFrame(draw) },
    el("div.rowgroup", { role: "rowgroup" }, el("div.line.headline", { role: "row", "aria-rowindex": "1" }, col("time", say("colTime")), col("tool", say("colTool")), col("event", say("colEvent")), col("out", say("colOutcome")), col("ms", say("colMs")), col("what", say("colWhat")), col("sess", say("colSession")))),
    rows);
  fresh = el("button.fresh", { type: "button", hidden: true, onclick: () => ((grid.scrollTop = 0), draw()) });
  side = el("aside.side", { hidden: true, "aria-label": say("record") });
  fill(main, el("div.audit", {}, form, el("div.split.wide", {}, el("div.gridbox", {}, fresh, grid), side)));
  new ResizeObserver(draw).observe(grid);
  reset();
}

function reset() {
  generation++;
  pages = new Map();
  waiting = new Map();
  drawn = new Map();
  rows?.replaceChildren();
  at = -1;
  if (side) side.hidden = true;
}

let timer;
function soon() {
  clearTimeout(timer);
  timer = setTimeout(change, 150);
}

function change() {
  filter = Object.fromEntries(new FormData(form));
  reset();
  grid.scrollTop = 0;
  load();
}

// load asks for the newest page, and so how many records there are.
async function load() {
  const mine = generation;
  const { data } = await call("audit", { query: { ...app.where(), ...filter, limit: size, offset: Math.max(0, Math.floor(Math.max(0, matched - 1) / size)) * size } });
  if (mine !== generation) return;
  const before = matched;
  take(data);
  if (data.matched > data.offset + data.entries.length) {
    const last = Math.floor((data.matched - 1) / size);
    page(last);
    await waiting.get(last);
  }
  const grew = data.matched - before;
  if (before > 0 && grew > 0 && grid.scrollTop > 0) grid.scrollTop += grew * height; // what is looked at stays
  if (grid.scrollTop <= height) seenTop = matched;
  options("tool", data.tools);
  options("session", data.sessions);
  draw();
}

function options(name, all) {
  const select = form.elements[name];
  const have = new Set([...select.options].map((o) => o.value));
  for (const one of all) if (!have.has(one)) select.append(el("option", { value: one }, line(one)));
}

function take(data) {
  if (data.matched < matched) pages.clear(), waiting.clear(); // the log dropped its oldest records
  matched = data.matched;
  total = data.total;
  dropped = data.dropped ?? 0;
  pages.set(data.offset / size, data.entries);
}

// page returns the records of a page, or undefined before they are there. The last one is
// asked for again when it has grown.
function page(n) {
  const have = pages.get(n);
  if (have && (have.length === size || n * size + have.length >= matched)) return have;
  if (!waiting.has(n)) {
    const mine = generation;
    waiting.set(n, call("audit", { query: { ...app.where(), ...filter, limit: size, offset: n * size } }).then(({ data }) => {
      waiting.delete(n);
      if (mine !== generation) return;
      take(data);
      draw();
    }, () => waiting.delete(n)));
  }
  return waiting.get(n) && have;
}

// record returns the record of a row; the newest is row 0.
function record(row) {
  const i = matched - 1 - row;
  const p = page(Math.floor(i / size));
  return Array.isArray(p) ? p[i % size] : undefined;
}

function draw() {
  if (!grid?.isConnected) return;
  const from = Math.max(0, Math.floor(grid.scrollTop / height) - spare);
  const to = Math.min(matched, Math.ceil((grid.scrollTop + grid.clientHeight) / height) + spare);
  rows.style.height = matched * height + "px";
  grid.setAttribute("aria-rowcount", String(matched + 1));
  // Rows are made once and moved: records keep their positions when others are added.
  const seen = new Map();
  for (let i = from; i < to; i++) {
    const r = record(i), position = matched - 1 - i;
    const have = drawn.get(position);
    const e = have && have.of === r ? have.e : row(r);
    e.id = "row-" + i;
    e.style.top = i * height + "px";
    e.ariaRowIndex = String(i + 2);
    e.ariaSelected = String(position === at);
    e.classList.toggle("on", position === at);
    e.onclick = () => choose(i);
    if (e.parentNode !== rows) rows.append(e);
    seen.set(position, { of: r, e });
  }
  for (const [position, { e }] of drawn) if (seen.get(position)?.e !== e) e.remove();
  drawn = seen;
  count.textContent = matched === total ? say("allRecords", total.toLocaleString()) : say("records", matched.toLocaleString(), total.toLocaleString());
  if (dropped > 0) count.textContent += " · " + say("droppedRecords", dropped.toLocaleString());
  if (grid.scrollTop <= height) seenTop = matched;
  fresh.hidden = matched <= seenTop;
  fresh.textContent = "↑ " + say("toTop", matched - seenTop);
  const chosen = matched - 1 - at;
  if (at >= 0 && chosen >= from && chosen < to) grid.setAttribute("aria-activedescendant", "row-" + chosen);
  else grid.removeAttribute("aria-activedescendant");
}

function row(r) {
  const e = el("div.line", { role: "row" });
  const cell = (name, ...children) => el(`span.${name}`, { role: "gridcell" }, ...children);
  if (!r) {
    e.append(cell("what", "…"));
    return e;
  }
  const bad = r.outcome && r.outcome !== "ok";
  e.append(cell("time", moment(r.at, true)), cell("tool", line(r.tool)), cell("event", r.event), cell("out", r.outcome ? el(bad ? "span.bad" : "span.good", {}, r.outcome) : ""),
    cell("ms", r.duration_ms != null ? lasted(r.duration_ms) : ""), cell("what", what(r)), cell("sess", line(r.session ?? "")));
  return e;
}

// what says in one line what a record is about.
function what(r) {
  const a = r.args ?? {};
  const d = r.decision;
  const by = d && d.by !== "default" ? `${d.verdict} · ${[d.by, d.rule, d.approval].filter(Boolean).join(" ")}` : "";
  const said = a.command ?? a.argv?.join?.(" ") ?? a.pattern ?? a.query ?? a.url ?? r.paths?.join(", ") ?? a.path ?? (Object.keys(a).length ? JSON.stringify(a) : "");
  return line([typeof said === "string" ? said : JSON.stringify(said), by].filter(Boolean).join("  "));
}

// choose shows the record of a row. What is chosen stays when others are added.
function choose(i) {
  at = matched - 1 - i;
  const r = record(i);
  side.hidden = !r;
  if (r) {
    fill(side, el("header.head", {}, el("h2", {}, line(r.tool), " ", badge(r.outcome && r.outcome !== "ok" ? "bad" : "mute", r.outcome || r.event)),
      el("button.quiet", { type: "button", "aria-label": say("close"), onclick: () => ((side.hidden = true), (at = -1), draw(), grid.focus()) }, "✕")),
    el("p.small", {}, when(r.at)), el("pre", { tabindex: "0" }, ...visible(JSON.stringify(r, null, 2))));
  }
  draw();
}

function keys(key) {
  const full = Math.floor(grid.clientHeight / height) - 2;
  const now = at < 0 ? -1 : matched - 1 - at;
  const to = { j: now + 1, ArrowDown: now + 1, k: now - 1, ArrowUp: now - 1, Home: 0, End: matched - 1, PageDown: now + full, PageUp: now - full }[key];
  if (to != null && matched > 0) {
    const i = Math.min(Math.max(to, 0), matched - 1);
    if (i * height < grid.scrollTop) grid.scrollTop = i * height;
    else if ((i + 2) * height > grid.scrollTop + grid.clientHeight) grid.scrollTop = (i + 2) * height - grid.clientHeight;
    choose(i);
  } else if (key === "/") document.getElementById("search").focus();
  else if (key === "Escape" && !side.hidden) (side.hidden = true), (at = -1), draw();
  else return false;
  return true;
}

// forgetAll is for another workspace.
export function forgetAll() {
  filter = {};
  matched = total = seenTop = 0;
  reset();
}
