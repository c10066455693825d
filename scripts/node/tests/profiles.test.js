// What each profile says, by the table that the tests of the program go by.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";

import { Helve } from "helve";

const table = JSON.parse(readFileSync(process.env.HELVE_PROFILES, "utf8"));
const made = [];
const directory = () => made[made.push(mkdtempSync(join(tmpdir(), "helve-profiles-"))) - 1];
process.env.HELVE_HOME = directory();
after(() => made.forEach((one) => rmSync(one, { recursive: true, force: true })));

/** A workspace with the files of the table, and the settings of a project there. */
function prepared() {
  const root = directory();
  for (const [name, content] of Object.entries(table.files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  writeFileSync(join(root, "latin.txt"), Buffer.from("caf\xe9\n", "latin1"));
  symlinkSync("/etc/hostname", join(root, "out"));
  const config = join(directory(), "config.json");
  writeFileSync(config, JSON.stringify({ projects: [{ id: "p", path: root, mode: "write" }], project: "p" }));
  return { root, config };
}

for (const as of new Set(table.rows.map((row) => row.profile))) {
  describe(as, () => {
    it("says what callers of its system compare", async () => {
      const session = new Helve({ ...prepared(), as }).session();
      try {
        for (const row of table.rows.filter((one) => one.profile === as && !JSON.stringify(one).includes("$SERVER"))) {
          const said = await session.call(row.tool, row.arguments).then(
            (data) => ({ data: { ...data } }),
            (error) => ({ fails: error.message }),
          );
          const want = row.fails ? { fails: row.text } : { data: row.data ?? { value: row.text } };
          assert.deepEqual(said, want, `${row.tool} ${JSON.stringify(row.arguments)}`);
        }
      } finally {
        await session.close();
      }
    });
  });
}
