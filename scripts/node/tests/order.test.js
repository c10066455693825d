// The order of the calls of a turn, through the adapters: each turn is made by the framework at once, and what comes of
// it is compared with a model of the file system that makes the calls one after the other.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { Helve } from "helve";

process.env.OPENAI_AGENTS_DISABLE_TRACING = "1";

const turns = Number(process.env.HELVE_ORDER_TURNS || 6);
const made = [];
after(() => made.forEach((directory) => rmSync(directory, { recursive: true, force: true })));
const directory = () => made[made.push(mkdtempSync(join(tmpdir(), "helve-order-"))) - 1];

/** What runs a tool of an adapter's, as its framework does. */
const adapters = {
  async ai(helve) {
    const { tools } = await import("helve/ai");
    const all = await tools(helve);
    return (name, args) => all[name].execute(args, { toolCallId: "1", messages: [] });
  },
  async "openai-agents"(helve) {
    const { tools } = await import("helve/openai-agents");
    const { RunContext } = await import("@openai/agents");
    const all = Object.fromEntries((await tools(helve)).map((tool) => [tool.name, tool]));
    return (name, args) => all[name].invoke(new RunContext(), JSON.stringify(args));
  },
  async langchain(helve) {
    const { tools } = await import("helve/langchain");
    const all = Object.fromEntries((await tools(helve)).map((tool) => [tool.name, tool]));
    return (name, args) => all[name].invoke(args);
  },
};

/** A generator of numbers below n, the same each time. */
function drawing(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** The calls of a turn on two files, and what each must say; the model of the file system is a map. */
function turn(draw) {
  const files = new Map();
  const calls = [];
  for (let i = 0; i < 16; i++) {
    const path = ["a.txt", "b.txt"][draw(2)];
    const now = files.get(path);
    if (now === undefined || draw(4) === 0) {
      files.set(path, `line ${i}\n`);
      calls.push(["write", { path, content: `line ${i}` }, ""]);
    } else if (draw(2) === 0) {
      files.set(path, now.replace(/line \d+/, `line ${i}`));
      calls.push(["edit", { path, old_text: now.trim(), new_text: `line ${i}` }, "edited"]);
    } else {
      calls.push(["read", { path }, now.trim()]);
    }
  }
  return { files, calls };
}

describe("calls of a turn keep their order", () => {
  for (const [name, open] of Object.entries(adapters)) {
    it(name, async (t) => {
      const draw = drawing(7);
      for (let n = 0; n < turns; n++) {
        const root = directory();
        let run;
        try {
          run = await open(new Helve({ root, env: { HELVE_HOME: directory() } }));
        } catch (error) {
          if (error.code === "ERR_MODULE_NOT_FOUND") {
            return t.skip(error.message);
          }
          throw error;
        }
        const { files, calls } = turn(draw);
        const said = await Promise.all(calls.map(([tool, args]) => run(tool, args)));
        calls.forEach(([tool, args, want], i) => {
          const text = String(said[i]?.content ?? said[i]);
          assert.ok(!text.startsWith("error:") && text.includes(want), `turn ${n}, call ${i}: ${tool} ${JSON.stringify(args)}: ${text}`);
        });
        for (const [path, content] of files) {
          assert.equal(readFileSync(join(root, path), "utf8"), content);
        }
      }
    });
  }

  it("what takes long holds back only its own paths, and what is aborted is not made", async () => {
    const root = directory();
    const helve = new Helve({ root, env: { HELVE_HOME: directory() } });
    const abort = new AbortController();
    const order = [];
    const note = (name) => (value) => (order.push(name), value);
    const long = helve.run("exec", { command: "while ! test -e go; do sleep 0.05; done", timeout: 60 }).then(note("exec"));
    const aborted = helve.run("write", { path: "never", content: "x" }, { signal: abort.signal });
    const go = helve.run("write", { path: "go", content: "x" }).then(note("write"));
    abort.abort(new Error("not wanted"));
    await assert.rejects(aborted, /not wanted/);
    await Promise.all([long, go]);
    assert.deepEqual(order, ["write", "exec"]);
    assert.match((await helve.run("read", { path: "never" })).text, /not_found/);
  });
});
