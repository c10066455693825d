// scripts/python/tests/provider.py as the model of a test, and directories that go away with it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// No request leaves the machine, and none goes through a proxy of it.
for (const name of Object.keys(process.env).filter((name) => /_proxy$/i.test(name))) {
  delete process.env[name];
}
process.env.OPENAI_AGENTS_DISABLE_TRACING = "1";
process.env.OPENAI_API_KEY ??= "unused";

/** Starts the provider: its address, what it says at a path, new directories, and the end of it all. */
export async function start() {
  const provider = spawn(process.env.HELVE_PYTHON || "python3", ["-B", process.env.HELVE_PROVIDER], { stdio: ["pipe", "pipe", "inherit"] });
  const [first] = await once(provider.stdout.setEncoding("utf8"), "data");
  const url = `http://127.0.0.1:${JSON.parse(first).port}`;
  const made = [];
  return {
    url,
    says: async (path) => (await fetch(url + path)).json(),
    directory: () => made[made.push(mkdtempSync(join(tmpdir(), "helve-test-"))) - 1],
    async stop() {
      provider.stdin.end();
      await once(provider, "exit");
      made.forEach((directory) => rmSync(directory, { recursive: true, force: true }));
    },
  };
}
