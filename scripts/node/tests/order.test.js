// The order of the calls of a turn: provider.py makes some thirty calls in one turn, which are right only one after the
// other, and frameworks make them at once. What each answers is compared with a model of the file system.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { Helve } from "helve";
import { start } from "./provided.js";

const turns = Number(process.env.HELVE_ORDER_TURNS || 2);
const prompt = "Look after the files.";

/** Has a framework's agent play a turn; returns what the model said in the end. */
const agents = {
  async "ai, Chat Completions"(helve, url, key) {
    return ai("chat", helve, url, key);
  },
  async "ai, Responses"(helve, url, key) {
    return ai("responses", helve, url, key);
  },
  async "@openai/agents"(helve, url, key) {
    const { default: OpenAI } = await import("openai");
    const { Agent, OpenAIChatCompletionsModel, Runner } = await import("@openai/agents");
    const { tools } = await import("helve/openai-agents");
    const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }), "m");
    const agent = new Agent({ name: "a", model, tools: await tools(helve) });
    return (await new Runner({ tracingDisabled: true }).run(agent, prompt)).finalOutput;
  },
};

async function ai(kind, helve, url, key) {
  const { generateText, stepCountIs } = await import("ai");
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { tools } = await import("helve/ai");
  const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: key })[kind]("m");
  return (await generateText({ model, prompt, tools: await tools(helve), stopWhen: stepCountIs(5), maxRetries: 0 })).text;
}

/** What makes a call without an agent. */
const callers = {
  helve: async (helve) => async (tool, args) => (await helve.run(tool, args)).text,
  async "@langchain/core"(helve) {
    const { tools } = await import("helve/langchain");
    const all = Object.fromEntries((await tools(helve)).map((tool) => [tool.name, tool]));
    return (name, args) => all[name].invoke(args);
  },
  async "@mastra/core"(helve) {
    const { tools } = await import("helve/mastra");
    const all = await tools(helve);
    return (name, args) => all[name].execute(args, {});
  },
};

// Packages that judges/package.json does not have.
const elsewhere = ["@mastra/core"];

describe("calls of a turn keep their order", { skip: process.platform === "win32" && "no sockets to inherit" }, () => {
  let provider;
  before(async () => {
    provider = await start();
  });
  after(() => provider.stop());

  const open = () => {
    const root = provider.directory();
    return { root, helve: new Helve({ root, env: { HELVE_HOME: provider.directory() } }) };
  };

  /** Makes a test of a framework. One that is not installed is missed where nothing may be. */
  const keeps = (name, play) =>
    it(name, async (t) => {
      for (let seed = 0; seed < turns; seed++) {
        const { root, helve } = open();
        const { calls, files } = await provider.says(`/drawn/${seed}`);
        try {
          await play(helve, calls, seed);
        } catch (error) {
          const missed = error.code === "ERR_MODULE_NOT_FOUND";
          if (!missed || (process.env.REQUIRE_JUDGES === "1" && !elsewhere.includes(name))) {
            throw error;
          }
          return t.skip(error.message);
        }
        for (const [path, content] of Object.entries(files)) {
          assert.equal(readFileSync(join(root, path), "utf8"), content);
        }
      }
    });

  for (const [name, agent] of Object.entries(agents)) {
    keeps(name, async (helve, _calls, seed) => {
      const key = `order-${seed}-${name}`;
      assert.equal(await agent(helve, provider.url, key), "finished");
      assert.deepEqual((await provider.says("/verdict"))[key], { finished: true, turns: 2, faults: [] });
    });
  }

  for (const [name, caller] of Object.entries(callers)) {
    keeps(name, async (helve, calls) => {
      const run = await caller(helve);
      const said = await Promise.all(calls.map(([tool, args]) => run(tool, args)));
      calls.forEach(([tool, args, words], i) => {
        assert.ok(said[i].includes(words) && !said[i].startsWith("error:"), `${tool} ${JSON.stringify(args)}: ${said[i]}`);
      });
    });
  }

  it("what takes long holds back only its own paths, and what is aborted is not made", async () => {
    const { helve } = open();
    const abort = new AbortController();
    const long = helve.call("exec", { command: "while ! test -e go; do sleep 0.05; done", timeout: 300 });
    const aborted = helve.run("write", { path: "never", content: "x" }, { signal: abort.signal });
    const go = helve.run("write", { path: "go", content: "x" });
    abort.abort(new Error("not wanted"));
    await assert.rejects(aborted, /not wanted/);
    await go; // without it the command would not end
    const { exit_code, timed_out } = await long;
    assert.deepEqual([exit_code, timed_out], [0, false]);
    assert.match((await helve.run("read", { path: "never" })).text, /not_found/);
  });
});
