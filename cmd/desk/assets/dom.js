// Elements, texts and times.

import { say } from "./words.js";

// el makes an element: el("p.note", {title: "…"}, "text", child). A property that begins
// with "on" is a listener; null and false are left out.
export function el(what, props, ...children) {
  const [name, ...classes] = what.split(".");
  const e = document.createElement(name || "div");
  if (classes.length) e.className = classes.join(" ");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (key in e && typeof value !== "string") e[key] = value;
    else e.setAttribute(key, value === true ? "" : value);
  }
  put(e, children);
  return e;
}

function put(e, children) {
  for (const c of children.flat(Infinity)) if (c != null && c !== false) e.append(c);
}

// fill replaces what is in an element.
export function fill(e, ...children) {
  e.replaceChildren();
  put(e, children);
  return e;
}

// hidden matches characters that are invisible or move others, as approval.Visible does.
export const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u034f\u115f\u1160\u3164\uffa0\u2800\u180b-\u180f\ufe00-\ufe0e\u{e0000}-\u{e0fff}]/gu;

// visible returns the nodes of a text in which nothing is hidden: newlines and tabs stay,
// and other such characters are written out.
export function visible(text) {
  const nodes = [];
  let from = 0;
  for (const m of text.matchAll(hidden)) {
    if (m[0] === "\n" || m[0] === "\t") continue;
    nodes.push(text.slice(from, m.index), el("span.ctl", {}, `\\u{${m[0].codePointAt(0).toString(16)}}`));
    from = m.index + m[0].length;
  }
  nodes.push(text.slice(from));
  return nodes.filter((n) => n !== "");
}

// line returns a text as one line without hidden characters.
export function line(text) {
  return text.replace(hidden, (c) => (c === "\n" ? "⏎" : c === "\t" ? " " : `\\u{${c.codePointAt(0).toString(16)}}`));
}

let skew = 0; // of this clock against the server's, in ms

// clock notes what time it is at the server.
export function clock(now) {
  skew = Date.parse(now) - Date.now();
}

export const now = () => Date.now() + skew;

// ago says how long ago a moment is.
export function ago(at) {
  const s = Math.round((now() - Date.parse(at)) / 1000);
  if (s < 5) return say("now");
  if (s < 60) return say("secondsAgo", s);
  if (s < 3600) return say("minutesAgo", Math.round(s / 60));
  if (s < 86400) return say("hoursAgo", Math.round(s / 3600));
  return moment(at);
}

// left says how long it is until a moment, as m:ss; "" when it is over.
export function left(at) {
  const s = Math.ceil((Date.parse(at) - now()) / 1000);
  return s <= 0 ? "" : `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

const two = (n) => String(n).padStart(2, "0");

// moment returns a time of this machine, with the date unless it is today.
export function moment(at, ms) {
  const d = new Date(at);
  if (isNaN(d)) return "";
  const time = `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}` + (ms ? "." + String(d.getMilliseconds()).padStart(3, "0") : "");
  return d.toDateString() === new Date().toDateString() ? time : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${time}`;
}

// when returns an element with a time, and the whole of it in its title.
export function when(at, text) {
  return el("time", { datetime: at, title: new Date(at).toString() }, text ?? moment(at));
}

// lasted says how long something took, in ms.
export function lasted(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

// tell says something to screen readers.
export function tell(text) {
  const said = document.getElementById("said");
  said.append(el("p", {}, text));
  while (said.childElementCount > 5) said.firstChild.remove();
}

// toast shows a message for some seconds.
export function toast(kind, text, more) {
  const t = el(`div.toast.${kind}`, { role: kind === "bad" ? "alert" : "status" }, el("b", {}, text), more && el("span", {}, more));
  document.getElementById("toasts").append(t);
  setTimeout(() => t.remove(), kind === "bad" ? 12_000 : 4_000);
}

// badge returns a word with the colour of a kind.
export const badge = (kind, text) => el(`span.badge.${kind}`, {}, text);

// facts returns names with their values; those without a value are left out.
export function facts(all) {
  return el("dl.facts", {}, all.filter(([, v]) => v != null && v !== "").map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v))));
}

// empty says that there is nothing.
export function empty(title, more) {
  return el("div.empty", {}, el("p.title", {}, title), more && el("p", {}, more));
}
