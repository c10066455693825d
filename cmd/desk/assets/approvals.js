// The calls that a person is asked about.

import { call } from "./api.js";
import * as diff from "./diff.js";
import { ago, badge, clock, el, empty, facts, fill, left, line, tell, toast, visible, when } from "./dom.js";
import { say } from "./words.js";

let requests = [];
let known = null; // ids that were seen; null before the first list
let app, list, detail, drawn = "", pinned = "";

export const view = { name: "approvals", topics: ["approvals"], open, load, draw, keys, tick };

function open(to, main) {
  app = to;
  drawn = "";
  list = el("div.list", { id: "list", role: "listbox", tabindex: "0", "aria-label": say("approvals") });
  detail = el("section.detail", { "aria-label": say("record") });
  fill(main, el("div.split", {}, list, detail));
  draw();
}

async function load() {
  const { data } = await call("approvals", { query: app.where() });
  clock(data.now);
  requests = data.approvals;
  for (const r of requests) if (known && !known.has(r.id) && stateOf(r) === "pending") tell(say("newRequest", `${r.tool} ${subject(r)}`));
  known = new Set(requests.map((r) => r.id));
  if (app.shown() === view) draw();
}

// stateOf returns how far a request has come, in the words of the page.
export function stateOf(r) {
  if (r.drifted?.length || r.failure?.code === "approval_stale") return "stale";
  if (r.state === "used") return r.outcome?.status === "running" ? "running" : r.outcome?.status === "lost" ? "lost" : r.outcome?.error ? "failed" : "used";
  if ((r.state === "pending" || r.state === "approved") && !left(r.expires)) return "expired";
  return r.state;
}

const kinds = { pending: "warn", approved: "info", running: "info", used: "good", denied: "bad", failed: "bad", lost: "bad", stale: "stale", expired: "mute" };
const words = { stale: "staleWord" };
const mark = (state) => badge(kinds[state], say(words[state] ?? state));

// subject returns what a call is about, in a few words.
function subject(r) {
  const a = r.args ?? {};
  return line(String(a.command ?? a.argv?.join(" ") ?? a.path ?? a.from ?? a.url ?? a.task ?? a.id ?? r.binding?.targets?.[0]?.path ?? ""));
}

// chosen returns the request that is shown. One that was shown stays, whatever comes: else
// a request could take the place of another one under the person's hand.
function chosen() {
  const id = app.id() || pinned;
  const r = requests.find((r) => r.id === id) ?? (app.id() ? null : requests.findLast((r) => stateOf(r) === "pending") ?? requests[0]);
  pinned = r?.id ?? "";
  return r;
}

function draw() {
  const waits = requests.filter((r) => stateOf(r) === "pending").reverse(); // whoever waits longest
  const rest = requests.filter((r) => stateOf(r) !== "pending");
  const now = chosen();
  const item = (r) => {
    const state = stateOf(r);
    return el("a.item" + (r === now ? ".on" : ""), { href: app.link("approvals", r.id), role: "option", id: "r-" + r.id, tabindex: "-1", "aria-selected": String(r === now) },
      el("span.row", {}, el("b", {}, r.tool), el("span.subject", {}, subject(r))),
      el("span.row.small", {}, state === "pending" ? badge(r.risk, r.risk) : mark(state), el("span.grow"), el("span", { "data-ago": r.created }, ago(r.created))));
  };
  const had = list.scrollTop;
  const group = (title, all) => all.length > 0 && el("div", { role: "group", "aria-label": title }, el("h2", { "aria-hidden": "true" }, title, el("span.count", {}, String(all.length))), all.map(item));
  fill(list, group(say("waiting"), waits), group(say("decided"), rest), requests.length === 0 && el("div", { role: "option", "aria-selected": "false", "aria-disabled": "true" }, empty(say("nothingWaits"), say("nothingWaitsMore"))));
  list.scrollTop = had;
  if (now) list.setAttribute("aria-activedescendant", "r-" + now.id);
  else list.removeAttribute("aria-activedescendant");
  const text = JSON.stringify(now) + (now && stateOf(now));
  if (text === drawn) return; // what is typed there stays
  const typed = detail.querySelector("#why")?.value, same = detail.dataset.id === now?.id;
  drawn = text;
  fill(detail, now ? show(now) : requests.length ? empty(say("choose")) : empty(say("nothingWaits"), say("nothingWaitsMore")));
  detail.dataset.id = now?.id ?? "";
  if (same && typed && detail.querySelector("#why")) detail.querySelector("#why").value = typed;
  if (!same) {
    detail.scrollTop = 0;
    hold();
  }
}

// hold keeps what has just appeared from being decided by a click or a key that was meant
// for something else.
function hold() {
  const buttons = detail.querySelectorAll(".actions button");
  for (const b of buttons) b.disabled = true;
  setTimeout(() => {
    if (!busy) for (const b of buttons) b.disabled = false;
  }, 400);
}

function show(r) {
  const state = stateOf(r);
  return [
    el("header.head", {},
      el("h2", {}, el("span.tool", {}, r.tool), " ", ...visible(subject(r))),
      el("div.row", {}, mark(state), badge(r.risk, r.risk), state === "pending" && el("span.left", { "data-left": r.expires }, say("expiresIn", left(r.expires)))),
      facts([
        [say("session"), line(r.session ?? "")],
        [say("askedAt"), when(r.created)],
        [say("directory"), el("code", {}, ...visible(r.binding?.dir ?? ""))],
        [say("by"), r.decided_by && [line(r.decided_by), " ", when(r.decided_at)]],
      ])),
    el("div.body", {},
      state === "stale" && el("div.note.stale", { role: "note" }, el("p", {}, el("b", {}, "approval_stale"), " ", say("stale")), el("ul", {}, (r.drifted ?? []).map((d) => el("li", {}, d.what, d.path && [" ", el("code", {}, ...visible(d.path))])))),
      state === "expired" && el("div.note", {}, say("expiredWord")),
      r.failure && r.failure.code !== "approval_stale" && el("div.note.bad", {}, el("b", {}, say("notMade"), ": "), ...visible(r.failure.message), r.failure.hint && el("p", {}, ...visible(r.failure.hint))),
      r.reason && el("div.note", {}, el("b", {}, say("yourWords"), ": "), ...visible(r.reason)),
      r.outcome && outcome(r),
      r.reasons?.length > 0 && el("section", {}, el("h3", {}, say("reasons")), el("ul.reasons", {}, r.reasons.map((w) => el("li", {}, ...visible(document.documentElement.lang.startsWith("zh") ? w.zh : w.en))))),
      preview(r),
      el("details", {}, el("summary", {}, say("args")), el("pre", { tabindex: "0" }, ...visible(JSON.stringify(r.args, null, 2))))),
    state === "pending" && actions(r),
  ];
}

// preview shows what a call would do: the command, how its parts are judged, and the diff.
function preview(r) {
  const text = r.preview ?? "";
  const at = text.search(/^(diff --git |--- )/m);
  const [said, changes] = at >= 0 && diff.isDiff(text.slice(at)) ? [text.slice(0, at), text.slice(at)] : [text, ""];
  const parts = [];
  let plain = [];
  const flush = () => {
    const s = plain.join("\n").replace(/^\n+|\n+$/g, "");
    if (s) parts.push(el("pre.said", { tabindex: "0" }, ...visible(s)));
    plain = [];
  };
  let command = null;
  for (const l of said.split("\n")) {
    const risk = /^(read|write|destructive)\s+(.*)$/.exec(l);
    if (command === null && l.startsWith("$ ")) command = [l.slice(2)];
    else if (risk && command) {
      flush();
      parts.push(el("div.part", {}, badge(risk[1], risk[1]), el("code", {}, ...visible(risk[2]))));
    } else if (command && parts.length === 0 && plain.length === 0 && l !== "" && !l.startsWith("in ")) command.push(l); // of a command of several lines
    else plain.push(l);
  }
  flush();
  return [
    command && el("section", {}, el("h3", {}, say("command")), diff.shell(command.join("\n"))),
    (parts.length > 0 || changes) && el("section", {}, el("h3", {}, say("does")), parts, changes && diff.show(changes)),
  ];
}

function outcome(r) {
  const o = r.outcome;
  if (o.status === "running") return el("div.note", {}, say("outcome"), ": ", say("running"));
  if (o.error) return el("div.note.bad", {}, el("p", {}, el("b", {}, o.error.code), " ", ...visible(o.error.message)), o.error.hint && el("p", {}, ...visible(o.error.hint)));
  const d = o.data ?? {};
  return el("section", {}, el("h3", {}, say("outcome")),
    typeof d.output === "string" ? el("pre.output", { tabindex: "0" }, ...visible(d.output || say("noOutput"))) : null,
    d.exit_code != null && el("p.small", {}, say("exit", d.exit_code), d.duration_ms != null && ` · ${say("took", d.duration_ms + " ms")}`),
    el("details", {}, el("summary", {}, "JSON"), el("pre", { tabindex: "0" }, ...visible(JSON.stringify(d, null, 2)))));
}

function actions(r) {
  const why = el("input", { id: "why", type: "text", placeholder: say("why"), "aria-label": say("whyLabel"), autocomplete: "off", maxlength: "4000" });
  const rule = r.rule && JSON.stringify(r.rule, null, 2);
  const form = el("form.deny", {}, why, el("button.no", { type: "submit" }, say("deny")));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    act(r, "deny", { reason: why.value.trim() });
  });
  return el("footer.actions", {},
    el("div.row", {},
      el("button.yes", { type: "button", id: "yes", onclick: () => act(r, "approve", {}) }, say("approve"), el("kbd", { "aria-hidden": "true" }, "A")),
      el("button", { type: "button", onclick: () => act(r, "approve", { scope: "session" }) }, say("approveSession")),
      rule && el("button", { type: "button", title: say("ruleTitle") + "\n" + rule, onclick: () => act(r, "approve", { scope: "rule" }) }, say("approveRule"))),
    form,
    rule && el("details.rule", {}, el("summary", {}, say("ruleTitle")), el("pre", { tabindex: "0" }, ...visible(rule))));
}

let busy = false;

async function act(r, what, body) {
  if (busy) return;
  busy = true;
  for (const b of detail.querySelectorAll(".actions button")) b.disabled = true;
  try {
    const { data } = await call(`approvals/${r.id}/${what}`, { method: "POST", query: app.where(), body });
    const state = stateOf(data);
    const bad = state === "stale" || state === "failed" || data.failure;
    toast(bad ? "bad" : "good", say(words[state] ?? state), `${r.tool} ${subject(r)}`);
    if (app.id() !== r.id) app.go("approvals", r.id); // what it came to stays in sight
  } catch (e) {
    toast("bad", say("failedPage"), e.message);
  } finally {
    busy = false;
    for (const b of detail.querySelectorAll(".actions button")) b.disabled = false;
    await load().catch(() => {});
    list.focus();
  }
}

// tick renews what changes with time alone.
function tick() {
  for (const e of document.querySelectorAll("[data-ago]")) e.textContent = ago(e.dataset.ago);
  for (const e of document.querySelectorAll("[data-left]")) {
    const l = left(e.dataset.left);
    e.textContent = say("expiresIn", l || "0:00");
    if (!l) draw();
  }
}

function keys(key) {
  const shown = requests.filter((r) => stateOf(r) === "pending").reverse().concat(requests.filter((r) => stateOf(r) !== "pending"));
  const at = shown.indexOf(chosen());
  const r = shown[at];
  const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[key];
  if (to != null && shown[to]) app.go("approvals", shown[to].id), document.getElementById("r-" + shown[to].id)?.scrollIntoView({ block: "nearest" });
  else if (key === "a" && r && stateOf(r) === "pending") document.getElementById("yes")?.click();
  else if (key === "d" && document.getElementById("why")) document.getElementById("why").focus();
  else return false;
  return true;
}

// waiting returns how many requests wait.
export const waiting = () => requests.filter((r) => stateOf(r) === "pending").length;

// forgetAll is for another workspace.
export function forgetAll() {
  requests = [];
  known = null;
  drawn = pinned = "";
}
