"""A test case with provider.py as the model, and directories that go away with it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request


class Provided(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        here = pathlib.Path(__file__).parent
        cls.provider = subprocess.Popen(
            [sys.executable, "-B", str(here / "provider.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        cls.url = f"http://127.0.0.1:{json.loads(cls.provider.stdout.readline())['port']}"
        # No request leaves the machine, and none goes through a proxy of it.
        for name in [n for n in os.environ if n.lower().endswith("_proxy")]:
            del os.environ[name]
        os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

    @classmethod
    def tearDownClass(cls):
        cls.provider.stdin.close()
        cls.provider.wait()
        cls.provider.stdout.close()

    def directory(self):
        made = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, made)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+rwX", made])  # the kernel's own directories of layers
        return made

    def verdict(self, key):
        """What the provider says about a conversation."""
        with urllib.request.urlopen(self.url + "/verdict") as answer:
            return json.load(answer).get(key)
