"""What each profile says, by the table that the tests of the program go by."""

import json
import os
import pathlib
import unittest

from test_package import Workspace

from helve_tools import Helve, HelveError

TABLE = pathlib.Path(__file__).parents[3] / "testdata" / "profiles.json"


class TestProfiles(Workspace):
    def test_words(self):
        table = json.loads(TABLE.read_text())
        for profile in sorted({row["profile"] for row in table["rows"]}):
            with self.subTest(profile):
                self.says(profile, table)

    def says(self, profile, table):
        root = pathlib.Path(self.temporary())
        for name, content in table["files"].items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        (root / "latin.txt").write_bytes(b"caf\xe9\n")
        (root / "out").symlink_to("/etc/hostname")
        config = pathlib.Path(self.temporary()) / "config.json"
        projects = [{"id": "p", "path": os.fspath(root), "mode": "write"}]
        config.write_text(json.dumps({"projects": projects, "project": "p"}))
        with Helve(root, as_=profile, config=config).session() as helve:
            for row in table["rows"]:
                if row["profile"] == profile and "$SERVER" not in json.dumps(row):
                    with self.subTest(row["tool"], **row["arguments"]):
                        self.one(helve, row)

    def one(self, helve, row):
        try:
            result = helve.call(row["tool"], row["arguments"])
        except HelveError as error:
            self.assertEqual((str(error), True), (row["text"], row.get("fails")))
            return
        self.assertFalse(row.get("fails"))
        self.assertEqual(dict(result), row["data"] if "data" in row else {"value": row["text"]})


if __name__ == "__main__":
    unittest.main()
