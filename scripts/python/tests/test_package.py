"""The package itself, without a provider: run with the wheel installed."""

import asyncio
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import helve_tools
from helve_tools import (
    ApprovalRequired,
    AsyncHelve,
    BinaryNotFound,
    Helve,
    HelveError,
    InvalidArguments,
    NotFound,
    Refused,
    SessionLost,
    Unavailable,
    UnknownTool,
)
from helve_tools.binary import find


class Workspace(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(self.temporary())
        (self.dir / "a.txt").write_text("one\ntwo\n")
        (self.dir / "old.txt").write_text("old\n")
        os.environ["HELVE_HOME"] = self.temporary()

    def temporary(self):
        path = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, path)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+rwX", path])  # the kernel's own directories of layers
        return path

    def helve(self, **options):
        return Helve(str(self.dir), **options)

    def without_children(self):
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


class TestInstalled(unittest.TestCase):
    def test_brings_its_program(self):
        self.assertEqual(os.path.dirname(find()), os.path.dirname(sys.executable))
        self.assertNotIn("scripts", pathlib.Path(helve_tools.__file__).parts)
        out = subprocess.run([sys.executable, "-m", "helve_tools", "version"], stdout=subprocess.PIPE, check=True).stdout
        self.assertIn(b'"version"', out)

    def test_no_program(self):
        with self.assertRaises(BinaryNotFound) as caught:
            Helve(binary="/no/such/helve")
        self.assertEqual(caught.exception.code, "not_configured")


class TestCalls(Workspace):
    def test_data(self):
        for helve in self.helve(), self.helve().session():
            read = helve.call("read", {"path": "a.txt"}, limit=1)
            self.assertEqual((read["content"], read["next_offset"], read.warnings), ("one\n", 2, []))
            self.assertEqual(helve.run("read", '{"path":"a.txt"}'), (True, "one\ntwo\n"))
            if isinstance(helve, helve_tools.Session):
                helve.close()
        moved = self.helve().call("move", from_="a.txt", to="b é.txt")
        self.assertEqual(moved["to"], "b é.txt")
        self.without_children()

    def test_warnings(self):
        (self.dir / "a.txt").write_text("three\n")
        self.assertTrue(self.helve(session="new").call("write", path="a.txt", content="x\n").warnings)

    def test_errors(self):
        helve = self.helve()
        for wanted, code, tool, arguments in (
            (NotFound, "not_found", "read", {"path": "c.txt"}),
            (InvalidArguments, "invalid_arguments", "read", {"pth": 1}),
            (UnknownTool, "unknown_tool", "approve", {}),
            (Refused, "outside_workspace", "read", {"path": "../x"}),
            (ApprovalRequired, "approval_required", "delete", {"path": "a.txt"}),
            (HelveError, "already_exists", "write", {"path": "a.txt", "content": "x", "mode": "create"}),
        ):
            with self.subTest(code), self.assertRaises(wanted) as caught:
                helve.call(tool, arguments)
            error = caught.exception
            self.assertEqual(error.code, code)
            self.assertTrue(str(error) and error.hint)
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), vars(again)), (type(error), str(error), vars(error)))
        with self.assertRaises(TypeError):
            helve.call("read", {"path": "a.txt"}, path="b.txt")

    def test_approval_elsewhere(self):
        with self.assertRaises(ApprovalRequired) as caught:
            self.helve().call("delete", path="a.txt")
        self.assertTrue(caught.exception.approval["id"])
        self.assertTrue((self.dir / "a.txt").exists())

    def test_readonly(self):
        with self.assertRaises(Refused):
            self.helve(readonly=True).call("write", path="b.txt", content="x\n")
        self.assertFalse((self.dir / "b.txt").exists())

    def test_options(self):
        with self.assertRaises(NotFound) as caught:
            self.helve(lang="zh", env={"HELVE_LANG": "en"}).call("read", path="c.txt")
        self.assertFalse(str(caught.exception).isascii())

    def test_profile(self):
        helve = self.helve(as_="basic")
        self.assertEqual(
            [d["function"]["name"] for d in helve.definitions()], ["read_file", "write_file", "list_directory", "web_fetch"]
        )
        self.assertEqual(helve.call("write_file", path="b.txt", content="x")["value"], "成功：已写入 b.txt")
        self.assertEqual(helve.run("read_file", {"path": "c.txt"}).text, "错误：文件不存在: c.txt")
        with self.assertRaisesRegex(NotFound, "错误：文件不存在: c.txt"):
            helve.call("read_file", path="c.txt")
        with self.assertRaises(InvalidArguments):
            helve.call("read_file", {"file_path": "b.txt"})
        with helve.session() as session:
            self.assertEqual(session.call("read_file", path="b.txt")["value"], "x")

    def test_definitions(self):
        helve = self.helve()
        self.assertEqual([d["function"]["name"] for d in helve.definitions(tools=["read", "ls"])], ["read", "ls"])
        self.assertTrue(all(d["function"]["strict"] for d in helve.definitions(strict=True)))
        reading = [d["function"]["name"] for d in helve.definitions(toolset="reading")]
        self.assertIn("grep", reading)
        self.assertNotIn("write", reading)
        with self.assertRaises(UnknownTool):
            helve.definitions(tools=["nothing"])
        with self.assertRaises(InvalidArguments):
            helve.definitions("nobody")

    def test_answer(self):
        def call(id, name, arguments):
            return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}

        class Message:  # as those of pydantic
            def model_dump(self, **_):
                return {"role": "assistant", "tool_calls": [call("x", "read", '{"path":"a.txt"}'), call("y", "no", "{")]}

        helve = self.helve()
        first, second = helve.answer(Message())
        self.assertEqual(first, {"role": "tool", "tool_call_id": "x", "content": "one\ntwo\n"})
        self.assertEqual(second["tool_call_id"], "y")
        self.assertEqual(helve.answer([first["tool_call_id"] and call("x", "read", '{"path":"a.txt"}')]), [first])
        self.assertEqual(helve.answer({"role": "assistant", "content": "done"}), [])
        self.assertEqual(helve.answer('{"role":"assistant",\n"content":"done"}'), [])
        for wrong in ({"no": "call"}, {"role": object()}):
            with self.subTest(wrong), self.assertRaises((InvalidArguments, TypeError)):
                helve.answer(wrong)

    def test_share(self):
        def call(id, name, arguments):
            return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}

        calls = [call("x", "weather", '{"city":"Ulm"}'), call("y", "read", '{"path":"a.txt"}')]
        messages, others = self.helve().share({"role": "assistant", "tool_calls": calls})
        self.assertEqual([m["tool_call_id"] for m in messages], ["y"])
        self.assertEqual(others, [{"index": 0, "call": calls[0]}])
        self.assertEqual(asyncio.run(AsyncHelve(str(self.dir)).share(calls)), (messages, others))
        with self.assertRaises(InvalidArguments):
            self.helve().share({"no": "call"})

    def test_timeout(self):
        for helve in self.helve(timeout=0.05), self.helve(timeout=0.05).session():
            with self.assertRaises(Unavailable) as caught:
                helve.call("exec", command="sleep 100")
            self.assertEqual(caught.exception.code, "timeout")
            self.without_children()


class TestApprovals(Workspace):
    def asked(self, *decisions):
        requests, decisions = [], iter(decisions)

        def on_approval(request):
            requests.append(request)
            decision = next(decisions)
            if isinstance(decision, Exception):
                raise decision
            return decision

        return requests, on_approval

    def test_once(self):
        requests, on_approval = self.asked("keep it", False, KeyError("bug"), True)
        helve = self.helve(on_approval=on_approval)
        with self.assertRaises(Refused) as caught:
            helve.call("delete", path="old.txt")
        self.assertIn("keep it", str(caught.exception))
        with self.assertRaises(Refused):
            helve.call("delete", path="old.txt")
        with self.assertRaises(KeyError):
            helve.call("delete", path="old.txt")
        self.assertTrue((self.dir / "old.txt").exists())
        helve.call("delete", path="old.txt")
        self.assertFalse((self.dir / "old.txt").exists())
        self.assertEqual([(r["tool"], r["args"]["path"], "-old" in r["preview"]) for r in requests], [("delete", "old.txt", True)] * 4)

    def test_session(self):
        requests, on_approval = self.asked("keep it", KeyError("bug"), True)
        with self.helve(on_approval=on_approval).session() as s:
            self.assertIn("keep it", s.run("delete", {"path": "old.txt"}).text)
            with self.assertRaises(KeyError):
                s.run("delete", {"path": "old.txt"})
            self.assertTrue(s.run("delete", {"path": "old.txt"}).ok)
        self.assertEqual(len(requests), 3)
        self.without_children()


class TestSessions(Workspace):
    # A program that ends without an answer to its first line, unless it is started again.
    FAKE = """#!{python}
import json, os, sys
for line in sys.stdin:
    with open("lines", "a") as f:
        f.write(line)
    if not os.path.exists("again"):
        open("again", "w").close()
        sys.exit(3)
    print(json.dumps({{"id": "1", "name": "write", "ok": True, "content": "done"}}), flush=True)
"""

    def fake(self):
        path = self.dir / "fake"
        path.write_text(self.FAKE.format(python=sys.executable))
        path.chmod(0o755)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.dir)
        return str(path)

    def test_one_process(self):
        with self.helve().session() as s:
            for _ in range(20):
                s.call("exec", command="true")
            self.assertEqual(len(s._processes), 1)
        with self.assertRaises(ValueError):
            s.call("time")

    def test_threads(self):
        texts = {}
        with self.helve().session() as s:

            def read(i):
                texts[i] = s.run("exec", {"command": f"echo {i}"}).text

            threads = [threading.Thread(target=read, args=(i,)) for i in range(8)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        self.assertEqual({i: int(t.split()[0]) for i, t in texts.items()}, {i: i for i in range(8)})

    def test_started_again(self):
        with self.helve().session() as s:
            s.call("time")
            (process,) = s._processes.values()
            process._process.kill()
            process._process.wait()
            self.assertEqual(s.call("read", path="a.txt")["content"], "one\ntwo\n")

    def test_never_repeated(self):
        with self.helve(binary=self.fake()).session() as s:
            with self.assertRaises(SessionLost):
                s.run("write", {"path": "x"})
            self.assertEqual((self.dir / "lines").read_text().count("\n"), 1)
            self.assertEqual(s.run("write", {"path": "y"}), (True, "done"))
        self.without_children()

    def test_no_answer(self):
        with self.assertRaises(HelveError) as caught:
            self.helve(binary=self.fake()).call("read", path="x")
        self.assertEqual(caught.exception.details["status"], 3)


class TestAsync(Workspace):
    def helve(self, **options):
        return AsyncHelve(str(self.dir), **options)

    def test_calls(self):
        async def main():
            async def on_approval(request):
                await asyncio.sleep(0)
                return "keep it" if request["args"]["path"] == "a.txt" else True

            helve = self.helve(on_approval=on_approval)
            self.assertEqual((await helve.call("read", path="a.txt"))["content"], "one\ntwo\n")
            self.assertEqual([d["function"]["name"] for d in await helve.definitions(tools=["read"])], ["read"])
            self.assertEqual(await helve.answer({"role": "assistant", "content": ""}), [])
            with self.assertRaises(Refused):
                await helve.call("delete", path="a.txt")
            async with helve.session() as s:
                texts = await asyncio.gather(*(s.run("exec", {"command": f"echo {i}"}) for i in range(4)))
                self.assertEqual([t.text.split()[0] for t in texts], ["0", "1", "2", "3"])
                self.assertIn("keep it", (await s.run("delete", {"path": "a.txt"})).text)
                self.assertTrue((await s.run("delete", {"path": "old.txt"})).ok)
            with self.assertRaises(ValueError):
                await s.call("time")
            with self.assertRaises(NotFound):
                await helve.call("read", path="c.txt")

        asyncio.run(main())
        self.without_children()

    def test_failing_function(self):
        async def main():
            helve = self.helve(on_approval=lambda request: 1 / 0)
            with self.assertRaises(ZeroDivisionError):
                await helve.call("delete", path="a.txt")
            async with helve.session() as s:
                with self.assertRaises(ZeroDivisionError):
                    await s.call("delete", path="a.txt")
                self.assertEqual(await s.run("read", {"path": "a.txt"}), (True, "one\ntwo\n"))

        asyncio.run(main())

    def test_canceled(self):
        async def cancel(calls):
            task = asyncio.ensure_future(calls.call("exec", command="echo > started; sleep 100"))
            while not (self.dir / "started").exists() and not task.done():
                await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.without_children()
            (self.dir / "started").unlink()

        async def main():
            await cancel(self.helve())
            async with self.helve().session() as s:
                await cancel(s)
                self.assertEqual((await s.call("read", path="a.txt"))["content"], "one\ntwo\n")

        asyncio.run(main())

    def test_timeout(self):
        async def main():
            with self.assertRaises(Unavailable):
                await self.helve(timeout=0.05).call("exec", command="sleep 100")
            async with self.helve(timeout=0.05).session() as s:
                with self.assertRaises(Unavailable):
                    await s.call("exec", command="sleep 100")

        asyncio.run(main())
        self.without_children()


if __name__ == "__main__":
    unittest.main()
