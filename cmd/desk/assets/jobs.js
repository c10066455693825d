// Commands in the background, with their output as it comes.

import { call } from "./api.js";
import * as diff from "./diff.js";
import { ago, badge, el, empty, facts, fill, line, toast, visible, when } from "./dom.js";
import { say } from "./words.js";

const most = 400_000; // characters of output that the page keeps

let app, list, detail, out, all = [], next = 0, of = "", head = "", reading = false;

export const view = { name: "jobs", topics: ["jobs"], open, load, draw, keys, tick };

function open(to, main) {
  app = to;
  head = of = "";
  list = el("div.list", { id: "list", role: "listbox", tabindex: "0", "aria-label": say("jobs") });
  detail = el("section.detail", { "aria-label": say("record") });
  fill(main, el("div.split", {}, list, detail));
  draw();
}

async function load() {
  const { data } = await call("jobs", { query: app.where() });
  all = data.jobs;
  draw();
}

const chosen = () => all.find((j) => j.id === app.id()) ?? (app.id() ? null : all[0]);
const kind = (j) => (j.state === "running" ? "info" : j.state === "ended" && j.exit_code === 0 ? "good" : "bad");
const word = (j) => (j.state === "ended" ? (j.signal || j.ended || say("exit", j.exit_code)) : j.state);

function draw() {
  const now = chosen();
  const had = list.scrollTop;
  fill(list, all.map((j) => el("a.item" + (j === now ? ".on" : ""), { href: app.link("jobs", j.id), role: "option", tabindex: "-1", id: "j-" + j.id, "aria-selected": String(j === now) },
    el("span.row", {}, el("span.subject.mono", {}, line(j.command))),
    el("span.row.small", {}, badge(kind(j), word(j)), el("span.grow"), el("span", { "data-ago": j.started }, ago(j.started))))),
  all.length === 0 && el("div", { role: "option", "aria-selected": "false", "aria-disabled": "true" }, empty(say("noJobs"))));
  list.scrollTop = had;
  if (now) list.setAttribute("aria-activedescendant", "j-" + now.id);
  else list.removeAttribute("aria-activedescendant");
  if (!now) return (of = ""), fill(detail, empty(all.length ? say("choose") : say("noJobs")));
  const text = JSON.stringify({ ...now, total_bytes: 0 });
  if (now.id !== of) {
    of = now.id;
    next = -1;
    out = el("pre.output.tall", { tabindex: "0", "aria-label": say("output") });
    head = "";
    detail.scrollTop = 0;
  }
  if (text !== head) {
    head = text;
    fill(detail,
      el("header.head", {}, el("h2.mono", {}, line(now.command.split("\n")[0])),
        el("div.row", {}, badge(kind(now), word(now)), badge(now.risk, now.risk), el("span.grow"), now.state === "running" && el("button.no", { type: "button", onclick: () => stop(now) }, say("stop"))),
        facts([[say("session"), line(now.session ?? "")], [say("started"), when(now.started)], [say("directory"), el("code", {}, ...visible(now.cwd))], ["id", el("code", {}, now.id)],
          ["undo", now.undo_id && el("a", { href: app.link("history", now.undo_id) }, now.undo_id)]])),
      el("div.body", {}, now.command.includes("\n") && diff.shell(now.command), el("h3", {}, say("output")), out));
  }
  read(now.id);
}

// read takes what is new of the output.
async function read(id) {
  if (reading) return;
  reading = true;
  try {
    for (;;) {
      const { data } = await call(`jobs/${id}`, { query: { ...app.where(), since: next < 0 ? "" : next } });
      if (id !== of) return;
      const end = out.scrollHeight - out.scrollTop - out.clientHeight < 40;
      if (next < 0 && data.since > 0) out.append(el("span.ctl", {}, say("earlier") + "\n"));
      if (data.output) out.append(...visible(data.output));
      while (out.textContent.length > most && out.firstChild !== out.lastChild) out.firstChild.remove();
      const grew = (data.next ?? 0) > next;
      next = data.next ?? 0;
      if (end) out.scrollTop = out.scrollHeight;
      if (!grew || next >= data.job.total_bytes) return;
    }
  } catch (e) {
    if (e.code !== "not_found") toast("bad", say("failedPage"), e.message);
  } finally {
    reading = false;
    if (of !== id && of) read(of);
  }
}

async function stop(j) {
  try {
    await call(`jobs/${j.id}/stop`, { method: "POST", query: app.where() });
  } catch (e) {
    toast("bad", say("failedPage"), e.message);
  }
  load().catch(() => {});
}

function tick() {
  for (const e of document.querySelectorAll("[data-ago]")) e.textContent = ago(e.dataset.ago);
}

function keys(key) {
  const at = all.indexOf(chosen());
  const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[key];
  if (to == null || !all[to]) return false;
  app.go("jobs", all[to].id);
  return true;
}

export function forgetAll() {
  all = [];
  of = head = "";
}
