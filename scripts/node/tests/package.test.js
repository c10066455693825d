// The package as a user installs it, with the program that it brings. Run by "scripts/test node".

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";

import {
  ApprovalRequired,
  BinaryNotFound,
  Helve,
  HelveError,
  InvalidArguments,
  NotFound,
  Refused,
  SessionLost,
  Unavailable,
  UnknownTool,
  findBinary,
} from "helve";

const home = mkdtempSync(join(tmpdir(), "helve-home-"));
process.env.HELVE_HOME = home;
let root;
const roots = [home];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "helve-node-"));
  roots.push(root);
});
after(() => roots.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

const file = (name) => join(root, name);
const put = (name, text) => writeFileSync(file(name), text);
/** Waits until a file is there, or the call that makes it is over. */
const there = async (name, call) => {
  let over = false;
  call.catch(() => {}).finally(() => (over = true));
  while (!over && !existsSync(file(name))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
const chat = (...calls) => ({
  role: "assistant",
  tool_calls: calls.map(([id, name, args]) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } })),
});

describe("the program", () => {
  it("is the one that npm installed", () => {
    const found = findBinary();
    assert.match(found, /node_modules[\\/]@helve[\\/]/);
    assert.throws(() => findBinary("/nowhere/helve"), BinaryNotFound);
  });

  it("is on the path of scripts, and passes on what it is given and its status", () => {
    const script = join(findBinary(), "../../../../.bin/helve");
    const good = spawnSync(script, ["read", "a.txt", "-o", "text"], { cwd: root, encoding: "utf8" });
    assert.equal(good.status, 1);
    put("a.txt", "one\n");
    const read = spawnSync(script, ["write", "b.txt"], { cwd: root, input: "from stdin\n", encoding: "utf8" });
    assert.equal(read.status, 0, read.stdout + read.stderr);
    assert.equal(readFileSync(file("b.txt"), "utf8"), "from stdin\n");
  });

  it("answers at once to a parent that leaves its standard input open", async () => {
    const { stdout } = await promisify(execFile)(findBinary(), ["ls"], { cwd: root });
    assert.equal(JSON.parse(stdout).ok, true);
  });
});

for (const held of [false, true]) {
  describe(held ? "a session" : "a process for each call", () => {
    const using = async (options, work) => {
      const helve = new Helve({ root, ...options });
      if (!held) {
        return work(helve);
      }
      const session = helve.session();
      try {
        return await work(session);
      } finally {
        await session.close();
      }
    };

    it("calls tools", () =>
      using({}, async (helve) => {
        const data = await helve.call("write", { path: "a.txt", content: "one — two\u2028\n" });
        assert.equal(data.created, true);
        assert.deepEqual(data.warnings, []);
        assert.ok(!Object.keys(data).includes("warnings"));
        assert.equal((await helve.call("read", { path: "a.txt" })).content, "one — two\u2028\n");
        assert.deepEqual(await helve.run("read", '{"path":"a.txt"}'), { ok: true, text: "one — two\u2028\n" });
      }));

    it("throws errors with their codes", () =>
      using({}, async (helve) => {
        put("notes.txt", "x\n");
        await assert.rejects(helve.call("read", { path: "note.txt" }), (error) => {
          assert.ok(error instanceof NotFound && error instanceof HelveError && error instanceof Error);
          assert.equal(error.name, "NotFound");
          assert.equal(error.code, "not_found");
          assert.match(error.hint, /notes\.txt/);
          return true;
        });
        await assert.rejects(helve.call("read", { pth: "a" }), InvalidArguments);
        await assert.rejects(helve.call("nothing", {}), UnknownTool);
        await assert.rejects(helve.call("read", { path: "/etc/passwd" }), Refused);
        await assert.rejects(helve.call("delete", { path: "notes.txt" }), (error) => error instanceof ApprovalRequired && error.approval.id !== undefined);
        const { ok, text } = await helve.run("read", { path: "note.txt" });
        assert.ok(!ok && /not_found/.test(text));
        await assert.rejects(helve.run("ls", "no JSON").then(({ ok }) => assert.ok(ok)), assert.AssertionError);
      }));

    it("speaks as another system", () =>
      using({ as: "basic" }, async (helve) => {
        assert.equal((await helve.call("write_file", { path: "a.txt", content: "x" })).value, "成功：已写入 a.txt");
        assert.equal((await helve.run("read_file", { path: "b.txt" })).text, "错误：文件不存在: b.txt");
        await assert.rejects(helve.call("read_file", { path: "b.txt" }), (error) => error instanceof NotFound && error.message === "错误：文件不存在: b.txt");
        await assert.rejects(helve.call("read_file", { file_path: "a.txt" }), InvalidArguments);
      }));

    it("answers every call, in order", () =>
      using({}, async (helve) => {
        put("a.txt", "one\n");
        const answers = await helve.answer(chat(["c1", "read", { path: "a.txt" }], ["c2", "nothing", {}], ["c3", "read", { path: "b.txt" }]));
        assert.deepEqual(answers.map((answer) => answer.tool_call_id), ["c1", "c2", "c3"]);
        assert.deepEqual(await helve.answer({ role: "assistant", content: "done" }), []);
        const [message] = await helve.answer({ role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: { path: "b.txt" } }] });
        assert.equal(message.content[0].tool_use_id, "t1");
        assert.equal(message.content[0].is_error, true);
        await assert.rejects(helve.answer({ nonsense: true }), InvalidArguments);
        await assert.rejects(helve.answer("no JSON"), SyntaxError);
      }));

    it("asks for approvals", { skip: process.platform === "win32" }, async () => {
      put("a.txt", "one\n");
      put("b.txt", "two\n");
      const asked = [];
      const onApproval = async (request) => {
        asked.push([request.tool, request.args.path]);
        return request.args.path === "a.txt" ? true : "keep it";
      };
      await using({ onApproval }, async (helve) => {
        await helve.call("delete", { path: "a.txt" });
        await assert.rejects(helve.call("delete", { path: "b.txt" }), (error) => error instanceof Refused && /keep it/.test(error.message));
      });
      assert.deepEqual(asked, [["delete", "a.txt"], ["delete", "b.txt"]]);
      assert.ok(!existsSync(file("a.txt")) && existsSync(file("b.txt")));
      const broken = () => {
        throw new RangeError("of the program");
      };
      await using({ onApproval: broken }, (helve) => assert.rejects(helve.call("delete", { path: "b.txt" }), RangeError));
      assert.ok(existsSync(file("b.txt")));
    });

    it("ends what takes too long, or is aborted", () =>
      using({ timeout: 300_000 }, async (helve) => {
        const abort = new AbortController();
        const running = helve.call("exec", { command: "echo begun > begun; sleep 60; echo done > done" }, { signal: abort.signal });
        await there("begun", running);
        abort.abort(new Error("changed my mind"));
        await assert.rejects(running, /changed my mind/);
        assert.ok(!existsSync(file("done")));
        await assert.rejects(helve.call("ls", {}, { signal: AbortSignal.abort() }), { name: "AbortError" });
        assert.equal((await helve.call("ls")).path, "."); // the next call has a process
      }));

    it("says that it took too long", () =>
      using({ timeout: 1 }, (helve) => assert.rejects(helve.call("exec", { command: "sleep 60" }), (error) => error instanceof Unavailable && error.code === "timeout")));
  });
}

describe("a session of its own", () => {
  it("keeps the order of calls that are made at once", async () => {
    const session = new Helve({ root }).session();
    const calls = Array.from({ length: 50 }, (_, i) => session.call("write", { path: "log.txt", mode: "append", content: `${i}\n` }));
    await Promise.all(calls);
    await session.close();
    assert.equal(readFileSync(file("log.txt"), "utf8"), Array.from({ length: 50 }, (_, i) => `${i}\n`).join(""));
    await assert.rejects(session.call("ls"), /closed/);
  });

  it("does not repeat a call during which helve died", async () => {
    const session = new Helve({ root }).session();
    await session.call("ls");
    // A command may not reach the process of helve, so that this one kills it.
    const running = session.call("exec", { command: "echo x >> count; sleep 60" });
    await there("count", running);
    const killed = spawnSync("pkill", ["-KILL", "-f", `root ${root}`]);
    assert.equal(killed.error, undefined);
    await assert.rejects(running, SessionLost);
    assert.equal(readFileSync(file("count"), "utf8"), "x\n");
    assert.equal((await session.call("ls")).path, ".");
    await session.close();
  });
});

describe("definitions", () => {
  it("come in the form of each provider", async () => {
    const helve = new Helve({ root });
    assert.equal((await helve.definitions())[0].function.name, "read");
    assert.equal((await helve.definitions("openai", { tools: ["ls"], strict: true }))[0].function.strict, true);
    assert.deepEqual((await helve.definitions("anthropic", { tools: ["ls", "read"] })).map((tool) => tool.name), ["read", "ls"]);
    await assert.rejects(helve.definitions("openai", { tools: ["nothing"] }), UnknownTool);
    await assert.rejects(helve.definitions("nobody"), InvalidArguments);
  });
});
