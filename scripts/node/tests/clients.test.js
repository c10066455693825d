// Providers' clients and agent frameworks, unmodified, against scripts/python/tests/provider.py, which plays a script and
// refuses what real providers refuse: each reads, edits, runs a command, meets an error and an approval, and finishes.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";

import { Helve } from "helve";
import { start } from "./provided.js";

const prompt = "Look after the notes.";
const only = ["read", "edit", "exec", "delete"];

const skip = process.platform === "win32" && "no sockets to inherit";

describe("clients and frameworks", { skip }, () => {
  let provider, url, root, helve, asked;

  before(async () => {
    provider = await start();
    url = provider.url;
  });
  after(() => provider.stop());
  beforeEach(() => {
    root = provider.directory();
    for (const [name, text] of [["notes.txt", "one\ntwo\n"], ["old.txt", "old\n"], ["keep.txt", "keep\n"]]) {
      writeFileSync(join(root, name), text);
    }
    asked = [];
    const onApproval = ({ args: { path } }) => {
      asked.push(path);
      return path === "old.txt" || "it is still needed";
    };
    helve = new Helve({ root, onApproval, env: { HELVE_HOME: provider.directory() } });
  });

  /** Fails unless the whole script was played. */
  const played = async (key, said) => {
    const verdict = await provider.says("/verdict");
    assert.deepEqual(verdict[key], { finished: true, turns: 5, faults: [] });
    assert.equal(said, "finished");
    assert.equal(readFileSync(join(root, "notes.txt"), "utf8"), "one\n2\n");
    assert.deepEqual(asked.sort(), ["keep.txt", "old.txt"]);
    assert.deepEqual(readdirSync(root).filter((name) => name.endsWith(".txt")), ["keep.txt", "notes.txt"]);
  };

  for (const held of [false, true]) {
    it(`openai, Chat Completions${held ? ", in a session" : ", strict"}`, async () => {
      const { default: OpenAI } = await import("openai");
      const key = `node-chat-${held}`;
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
      const tools = await helve.definitions("openai", { strict: !held });
      const calls = held ? helve.session() : helve;
      const messages = [{ role: "user", content: prompt }];
      for (;;) {
        const completion = await client.chat.completions.create({ model: "m", messages, tools });
        messages.push(completion.choices[0].message);
        const answers = await calls.answer(completion);
        if (answers.length === 0) {
          break;
        }
        messages.push(...answers);
      }
      await calls.close?.();
      await played(key, messages.at(-1).content);
    });
  }

  for (const strict of [false, true]) {
    it(`openai, Responses${strict ? ", strict" : ""}`, async () => {
      const { default: OpenAI } = await import("openai");
      const key = `node-responses-${strict}`;
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
      const tools = await helve.definitions("openai-responses", { strict });
      const input = [{ role: "user", content: prompt }];
      for (;;) {
        const response = await client.responses.create({ model: "m", input, tools });
        input.push(...response.output);
        const answers = await helve.answer(response);
        if (answers.length === 0) {
          await played(key, response.output_text);
          return;
        }
        input.push(...answers);
      }
    });
  }

  it("@anthropic-ai/sdk", async () => {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: url, apiKey: "node-anthropic", maxRetries: 0 });
    const tools = await helve.definitions("anthropic");
    const messages = [{ role: "user", content: prompt }];
    for (;;) {
      const message = await client.messages.create({ model: "m", max_tokens: 1000, messages, tools });
      messages.push({ role: "assistant", content: message.content });
      const answers = await helve.answer(message);
      if (answers.length === 0) {
        await played("node-anthropic", message.content[0].text);
        return;
      }
      messages.push(...answers);
    }
  });

  it("@google/genai", async () => {
    const { GoogleGenAI } = await import("@google/genai");
    const client = new GoogleGenAI({ apiKey: "node-gemini", httpOptions: { baseUrl: url } });
    const tools = await helve.definitions("gemini");
    const contents = [{ role: "user", parts: [{ text: prompt }] }];
    for (;;) {
      const response = await client.models.generateContent({ model: "m", contents, config: { tools } });
      contents.push(response.candidates[0].content);
      const answers = await helve.answer(response);
      if (answers.length === 0) {
        await played("node-gemini", response.text);
        return;
      }
      contents.push(...answers);
    }
  });

  it("ai", async () => {
    const { generateText, stepCountIs } = await import("ai");
    const { createOpenAI } = await import("@ai-sdk/openai");
    const { tools } = await import("helve/ai");
    for (const kind of ["chat", "responses"]) {
      if (kind === "responses") {
        writeFileSync(join(root, "notes.txt"), "one\ntwo\n");
        writeFileSync(join(root, "old.txt"), "old\n");
        asked = [];
      }
      const key = `node-ai-${kind}`;
      const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: key })[kind]("m");
      const { text } = await generateText({ model, prompt, tools: await tools(helve, { tools: only }), stopWhen: stepCountIs(10), maxRetries: 0 });
      await played(key, text);
    }
  });

  it("@openai/agents", async () => {
    const { default: OpenAI } = await import("openai");
    const { Agent, OpenAIChatCompletionsModel, Runner } = await import("@openai/agents");
    const { tools } = await import("helve/openai-agents");
    const openAIClient = new OpenAI({ baseURL: `${url}/v1`, apiKey: "node-agents", maxRetries: 0 });
    const model = new OpenAIChatCompletionsModel(openAIClient, "m");
    const agent = new Agent({ name: "notes", model, tools: await tools(helve, { tools: only, strict: true }) });
    const result = await new Runner({ tracingDisabled: true }).run(agent, prompt);
    await played("node-agents", result.finalOutput);
  });

  it("@langchain/core", async () => {
    const { tools } = await import("helve/langchain");
    const session = helve.session();
    const [read, edit] = await tools(helve, { tools: only, calls: session });
    const call = (tool, args) => tool.invoke({ type: "tool_call", id: "c1", name: tool.name, args });
    const good = await call(read, { path: "notes.txt" });
    assert.deepEqual([good.tool_call_id, good.content, good.status], ["c1", "one\ntwo\n", "success"]);
    const bad = await call(edit, { path: "notes.txt", old_text: "missing", new_text: "x" });
    assert.deepEqual([bad.tool_call_id, bad.status], ["c1", "error"]);
    assert.match(bad.content, /text_not_found/);
    await session.close();
  });
});
