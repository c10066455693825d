// What is planned, and the sub-agents: tables to read.

import { call } from "./api.js";
import { badge, el, empty, fill, line, when } from "./dom.js";
import { say } from "./words.js";

function table(name, none, columns, row) {
  let app, box, before = "";
  return {
    name, topics: [name], keys: () => false,
    open(to, main) {
      app = to;
      before = "";
      box = el("div.table", { tabindex: "0", role: "region", "aria-label": say(name) });
      fill(main, box);
    },
    async load() {
      const { data } = await call(name, { query: app.where() });
      const text = JSON.stringify(data.jobs);
      if (text === before) return;
      before = text;
      fill(box, data.jobs.length === 0 ? empty(say(none)) : el("table", {},
        el("thead", {}, el("tr", {}, columns.map((c) => el("th", { scope: "col" }, say(c))))),
        el("tbody", {}, data.jobs.map((j) => el("tr", {}, row(j, app).map((c) => el("td", {}, c)))))));
    },
    forgetAll() {},
  };
}

function does(a) {
  if (a.message) return ["message", a.message];
  if (a.exec) return ["exec", a.exec];
  if (a.argv) return ["exec", a.argv.join(" ")];
  if (a.spawn) return ["spawn", a.spawn];
  if (a.call) return [a.call.name, JSON.stringify(a.call.arguments ?? {})];
  return ["", ""];
}

const status = (s) => badge({ ok: "good", completed: "good", working: "info", running: "info", input_required: "warn", queued: "mute", missed: "warn", skipped: "mute", canceled: "mute" }[s] ?? "bad", s);

export const schedule = table("schedule", "noSchedule", ["colName", "colSchedule", "colNext", "colDoes", "colLast"], (j) => {
  const [tool, what] = does(j.action ?? {});
  return [
    [el("b", {}, line(j.name ?? "")), el("div.small", {}, el("code", {}, j.id))],
    [el("code", {}, line(j.schedule)), el("div.small", {}, j.timezone)],
    j.enabled ? (j.next_runs ?? []).map((n, i) => el(i ? "div.small" : "div", {}, n)) : [badge("mute", say("disabled")), " ", line(j.reason ?? "")],
    [badge("mute", tool), " ", el("code", {}, line(what))],
    j.last_run && [status(j.last_run.status), " ", el("span.small", {}, when(j.last_run.scheduled_at)), j.last_run.error && el("div.small", {}, line(j.last_run.error))],
  ];
});

export const agents = table("agents", "noAgents", ["colStatus", "colTask", "colIterations", "colTokens", "colCreated"], (j, app) => [
  [status(j.status), j.reason && el("div.small", {}, j.reason), j.approval && el("div", {}, el("a", { href: app.link("approvals", j.approval) }, say("pending")))],
  [el("b", {}, line(j.label ?? "")), el("div", {}, line(j.task)), el("div.small", {}, el("code", {}, j.job_id))],
  String(j.iterations), j.tokens.toLocaleString(), when(j.created_at),
]);
