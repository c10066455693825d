// The page: who looks, at which workspace, at what.

import * as agentsAndSchedule from "./lists.js";
import * as api from "./api.js";
import * as approvals from "./approvals.js";
import * as audit from "./audit.js";
import * as history_ from "./history.js";
import * as jobs from "./jobs.js";
import { el, empty, fill, toast } from "./dom.js";
import { say } from "./words.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");
const modules = [approvals, audit, history_, jobs];
const views = [approvals.view, audit.view, history_.view, jobs.view, agentsAndSchedule.schedule, agentsAndSchedule.agents];

let workspaces = [], workspace = "", shown = null, id = "";

const app = {
  where: () => ({ workspace }),
  shown: () => shown,
  id: () => id,
  link: (name, one) => `#/${name}${one ? "/" + one : ""}${workspace && workspace !== workspaces[0]?.id ? "?" + workspace : ""}`,
  go: (name, one) => {
    history.replaceState(null, "", app.link(name, one));
    route();
  },
};

// route shows what the address says: #/VIEW/ID?WORKSPACE.
function route() {
  const [, name, one, where] = /^#\/(\w+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  const to = workspaces.some((w) => w.id === where) ? where : (workspaces[0]?.id ?? "");
  if (to !== workspace) {
    workspace = to;
    for (const m of modules) m.forgetAll();
    shown = null;
    byId("where").value = workspace;
    byId("path").textContent = workspaces.find((w) => w.id === workspace)?.root ?? "";
  }
  const view = views.find((v) => v.name === name) ?? views[0];
  const moved = id !== (one ?? "");
  id = one ?? "";
  if (view !== shown || moved) {
    const again = view === shown;
    shown = view;
    if (!again) view.open(app, main);
    else view.draw?.();
    rail();
    renew(view);
  }
  if (view !== approvals.view) renew(approvals.view);
}

const loading = new Map(); // what is asked for, and whether to ask once more

// renew loads what a view shows, and once more if it changes meanwhile.
async function renew(view) {
  if (loading.has(view)) return void loading.set(view, true);
  loading.set(view, false);
  try {
    await view.load();
  } catch (e) {
    if (e.status === 401) return void locked();
    if (e instanceof api.Fault) toast("bad", say("failedPage"), e.message);
  } finally {
    const again = loading.get(view);
    loading.delete(view);
    if (view === approvals.view) rail();
    if (again) renew(view);
  }
}

function rail() {
  const waiting = approvals.waiting();
  document.title = (waiting ? `(${waiting}) ` : "") + "helve desk";
  const at = document.activeElement?.closest?.("#rail a")?.dataset.view;
  fill(byId("rail"), el("ul", {}, views.map((v, i) => el("li", {}, el("a" + (v === shown ? ".on" : ""), { href: app.link(v.name), "data-view": v.name, "aria-current": v === shown ? "page" : null, "aria-keyshortcuts": String(i + 1) },
    say(v.name), el("span.grow"), v === approvals.view && waiting > 0 && el("span.count.hot", {}, String(waiting)))))));
  if (at) byId("rail").querySelector(`[data-view=${at}]`)?.focus();
}

async function listWorkspaces() {
  const { data } = await api.call("workspaces");
  workspaces = data.workspaces;
  const select = byId("where");
  const names = workspaces.map((w) => w.name);
  fill(select, workspaces.map((w) => el("option", { value: w.id, title: w.root }, (names.indexOf(w.name) !== names.lastIndexOf(w.name) ? w.root : w.name) + (w.pending && w.id !== workspace ? `  (${w.pending})` : ""))));
  select.value = workspace || workspaces[0]?.id;
}

function take(topic, where) {
  if (topic === "ready" || topic === "workspaces" || (topic === "approvals" && where !== workspace)) listWorkspaces().catch(() => {});
  if (topic === "ready") {
    renew(approvals.view);
    if (shown !== approvals.view) renew(shown);
  }
  if (where !== workspace) return;
  if (topic === "approvals") renew(approvals.view);
  else if (shown?.topics.includes(topic)) renew(shown);
}

function state(now) {
  const live = byId("live");
  live.dataset.state = now;
  fill(live, el("span.dot"), say({ live: "live", ended: "ended", locked: "ended" }[now] ?? "connecting"));
  document.body.classList.toggle("stale", now !== "live");
  if (now === "locked") locked();
}

function locked() {
  api.forget();
  document.body.classList.add("locked");
  fill(byId("rail"));
  fill(main, empty(say("locked"), say("lockedMore")));
}

function help() {
  let d = byId("help");
  if (!d) {
    const row = (keys, what) => el("div", {}, el("dt", {}, keys.map((k) => el("kbd", {}, k))), el("dd", {}, what));
    d = el("dialog", { id: "help", "aria-labelledby": "help-title" }, el("h2", { id: "help-title" }, say("help")),
      el("dl.keys", {}, row(["1", "…", "6"], say("helpViews")), row(["j", "k", "↑", "↓"], say("helpMove")), row(["a"], say("helpApprove")), row(["d"], say("helpDeny")), row(["/"], say("helpSearch")), row(["?"], say("helpThis"))),
      el("form", { method: "dialog" }, el("button", {}, say("close"))));
    document.body.append(d);
  }
  d.showModal();
}

const themes = ["auto", "light", "dark"];

function theme(next) {
  let now = localStorage.getItem("helve-theme") ?? "auto";
  if (next) now = themes[(themes.indexOf(now) + 1) % themes.length];
  localStorage.setItem("helve-theme", now);
  if (now === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = now;
  byId("theme").textContent = say("theme", say(now));
}

function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || byId("help")?.open) return;
  const at = e.target;
  if (at.matches("input, select, textarea")) {
    if (e.key === "Escape") at.blur();
    return;
  }
  if (at.matches("button, summary") && (e.key === " " || e.key === "Enter")) return;
  if (at.closest("pre, .code") && e.key.startsWith("Arrow")) return; // they scroll
  if (e.key === "?") help();
  else if (views[+e.key - 1]) app.go(views[+e.key - 1].name), main.focus();
  else if (!shown?.keys(e.key)) return;
  e.preventDefault();
}

async function begin() {
  theme();
  byId("skip").textContent = say("skip");
  byId("where-label").textContent = say("workspace");
  byId("rail").setAttribute("aria-label", say("views"));
  byId("keys").textContent = say("keys");
  byId("keys").addEventListener("click", help);
  byId("theme").addEventListener("click", () => theme(true));
  state("connecting");
  try {
    if (!(await api.enter())) return locked();
    await listWorkspaces();
  } catch (e) {
    if (e.status === 401) return locked();
    return fill(main, empty(e.message, e.hint));
  }
  byId("where").addEventListener("change", (e) => {
    const to = e.target.value;
    history.replaceState(null, "", `#/${shown?.name ?? "approvals"}${to === workspaces[0]?.id ? "" : "?" + to}`);
    id = "-"; // what was chosen is of the other workspace
    route();
  });
  addEventListener("hashchange", route);
  addEventListener("keydown", pressed);
  setInterval(() => shown?.tick?.(), 1000);
  for (const m of modules) m.forgetAll();
  approvals.view.open(app, main);
  route();
  api.listen(take, state);
}

begin();
