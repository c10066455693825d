// What the page asks of the server. The token is in a header, never in an address.

const kept = "helve-desk-token";
let token = "";

// Fault is the error of an answer.
export class Fault extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint, details: error.details });
  }
}

// enter takes the token, or a ticket for it, out of the address. It is kept for this tab
// alone, so that reloading works. It reports whether there is one.
export async function enter() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("token") || given.has("ticket")) history.replaceState(null, "", "/");
  if (given.has("token")) token = given.get("token");
  else if (given.has("ticket")) token = (await call("ticket", { method: "POST", body: { ticket: given.get("ticket") } })).data.token;
  else token = sessionStorage.getItem(kept) ?? "";
  if (token) sessionStorage.setItem(kept, token);
  return token !== "";
}

export function forget() {
  token = "";
  sessionStorage.removeItem(kept);
}

const headers = () => (token ? { Authorization: `Bearer ${token}` } : {});

// call asks for a document and returns it. query and body are objects; an error is a Fault.
export async function call(path, { method = "GET", query = {}, body, signal } = {}) {
  const q = new URLSearchParams(Object.entries(query).filter(([, v]) => v != null && v !== ""));
  const r = await fetch(`/api/${path}${q.size ? "?" + q : ""}`, {
    method, signal, cache: "no-store", headers: { ...headers(), ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
  });
  const document = await r.json().catch(() => ({ ok: false, error: { code: "internal", message: `HTTP ${r.status}` } }));
  if (!document.ok) throw new Fault(r.status, document.error);
  return document;
}

// listen calls take with the topic and the data of each event until the server has ended,
// and comes again when the connection is lost. An EventSource sends no headers.
export async function listen(take, state) {
  for (let wait = 250; ; wait = Math.min(wait * 2, 5000)) {
    try {
      const r = await fetch("/api/events", { headers: headers(), cache: "no-store" });
      if (r.status === 401) return state("locked");
      if (r.ok) {
        wait = 250;
        await read(r.body, take, state);
      }
    } catch {
      // the server has ended, or the machine slept
    }
    state("ended");
    await new Promise((again) => setTimeout(again, wait));
  }
}

async function read(body, take, state) {
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split("\n\n");
    rest = events.pop();
    for (const e of events) {
      const topic = /^event: (.*)$/m.exec(e)?.[1];
      if (topic === "ready") state("live");
      if (topic) take(topic, /^data: (.*)$/m.exec(e)?.[1] ?? "");
    }
  }
}
