// What undo can take back.

import { call } from "./api.js";
import * as diff from "./diff.js";
import { ago, badge, el, empty, facts, fill, line, toast, visible, when } from "./dom.js";
import { say } from "./words.js";

let app, list, detail;
let entries = [], more = false, limit = 200, drawn = "";

export const view = { name: "history", topics: ["history"], open, load, draw, keys, tick };

function open(to, main) {
  app = to;
  drawn = "";
  list = el("div.list", { id: "list", role: "listbox", tabindex: "0", "aria-label": say("history") });
  detail = el("section.detail", { "aria-label": say("record") });
  fill(main, el("div.split", {}, list, detail));
  draw();
}

async function load() {
  const { data } = await call("history", { query: { ...app.where(), limit } });
  ({ entries, more } = data);
  draw();
}

const chosen = () => entries.find((e) => e.id === app.id()) ?? (app.id() ? null : entries[0]);
const signs = { create: "+", delete: "−", modify: "~", move: "→", mkdir: "+", rmdir: "−", mode: "±" };

function title(e) {
  return e.files?.length === 1 ? line(e.files[0].path) : say("files", e.files?.length ?? 0);
}

function draw() {
  const now = chosen();
  const item = (e) => el("a.item" + (e === now ? ".on" : "") + (e.undone_by ? ".past" : ""), { href: app.link("history", e.id), role: "option", tabindex: "-1", id: "h-" + e.id, "aria-selected": String(e === now) },
    el("span.row", {}, el("b", {}, e.undoes?.length ? "undo" : line(e.tool)), el("span.subject", {}, e.command ? line(e.command) : title(e))),
    el("span.row.small", {}, e.undone_by && badge("mute", say("undone")), e.command && el("span", {}, title(e)), el("span.grow"), el("span", { "data-ago": e.at }, ago(e.at))));
  const had = list.scrollTop;
  fill(list, entries.map(item), more && el("button.more", { type: "button", onclick: () => ((limit *= 4), load()) }, say("more")),
    entries.length === 0 && el("div", { role: "option", "aria-selected": "false", "aria-disabled": "true" }, empty(say("noHistory"))));
  list.scrollTop = had;
  if (now) list.setAttribute("aria-activedescendant", "h-" + now.id);
  else list.removeAttribute("aria-activedescendant");
  const text = JSON.stringify(now);
  if (text === drawn) return;
  drawn = text;
  if (!now) return fill(detail, entries.length ? empty(say("choose")) : empty(say("noHistory")));
  show(now);
}

async function show(e) {
  const changes = el("div.changes", {}, el("p.small", {}, "…"));
  fill(detail,
    el("header.head", {},
      el("h2", {}, el("span.tool", {}, e.undoes?.length ? say("undidWord") : line(e.tool)), " ", title(e)),
      el("div.row", {}, e.undone_by && badge("mute", say("undone")), e.stopped && badge("warn", say("stoppedWord")), el("span.grow"),
        !e.undone_by && el("button", { type: "button", id: "undo", disabled: !e.undoable, onclick: () => undo(e, false) }, e.undoes?.length ? say("redo") : say("undo"))),
      facts([[say("session"), line(e.session ?? "")], ["id", el("code", {}, e.id)], [say("colTime"), when(e.at)]]),
      !e.undoable && !e.undone_by && el("p.small", {}, say("notUndoable"))),
    el("div.body", {},
      e.command && el("section", {}, el("h3", {}, say("command")), diff.shell(e.command)),
      el("ul.files", {}, (e.files ?? []).slice(0, 500).map((f) => el("li", {}, el(`span.sign.${f.action}`, { "aria-label": f.action }, signs[f.action] ?? f.action), el("code", {}, f.from && [...visible(f.from), " → "], ...visible(f.path))))),
      changes));
  detail.scrollTop = 0;
  try {
    const { data } = await call(`history/${e.id}`, { query: app.where() });
    if (changes.isConnected) fill(changes, data.diff ? diff.show(data.diff) : el("p.small", {}, say("noDiff")), data.truncated && el("p.small", {}, say("truncated")));
  } catch (err) {
    fill(changes, el("div.note.bad", {}, err.message));
  }
}

async function undo(e, force) {
  const button = document.getElementById("undo");
  if (button) button.disabled = true;
  try {
    await call(`history/${e.id}/undo`, { method: "POST", query: app.where(), body: { force } });
    toast("good", say("undoneToast"), title(e));
  } catch (err) {
    toast("bad", say("failedPage"), err.message);
    if (err.code === "undo_conflict" && !force) {
      detail.querySelector(".body").prepend(el("div.note.bad", {}, el("p", {}, el("b", {}, err.code), " ", ...visible(err.message)), el("button.no", { type: "button", onclick: () => undo(e, true) }, say("force"))));
    }
  } finally {
    if (button) button.disabled = false;
    await load().catch(() => {});
  }
}

function tick() {
  for (const e of document.querySelectorAll("[data-ago]")) e.textContent = ago(e.dataset.ago);
}

function keys(key) {
  const at = entries.indexOf(chosen());
  const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[key];
  if (to == null || !entries[to]) return false;
  app.go("history", entries[to].id);
  document.getElementById("h-" + entries[to].id)?.scrollIntoView({ block: "nearest" });
  return true;
}

export function forgetAll() {
  entries = [];
  limit = 200;
  drawn = "";
}
