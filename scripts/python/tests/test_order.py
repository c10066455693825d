"""The order of the calls of a turn, through the adapters: each turn is made by the framework at
once, and what comes of it is compared with a model of the file system that makes the calls one
after the other. Run with the wheel installed."""

import asyncio
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

from helve_tools import AsyncHelve, Helve

TURNS = int(os.environ.get("HELVE_ORDER_TURNS", "4"))


def plain(helve):
    async def run(name, arguments):
        return (await helve.run(name, arguments)).text

    return run


def openai_agents(helve):
    from agents.tool_context import ToolContext

    from helve_tools.adapters.openai_agents import tools

    by_name = {tool.name: tool for tool in tools(helve, strict=False)}

    async def run(name, arguments):
        text = json.dumps(arguments)
        context = ToolContext(None, tool_name=name, tool_call_id="1", tool_arguments=text)
        return await by_name[name].on_invoke_tool(context, text)

    return run


def langchain(helve):
    from helve_tools.adapters.langchain import tools

    by_name = {tool.name: tool for tool in tools(helve)}

    async def run(name, arguments):
        return await by_name[name].ainvoke(arguments)

    return run


def pydantic_ai(helve):
    from helve_tools.adapters.pydantic_ai import tools

    by_name = {tool.name: tool for tool in tools(helve)}

    async def run(name, arguments):
        return await by_name[name].function_schema.call(arguments, None)

    return run


def turn(draw):
    """Return the calls of a turn on two files with what each must say, and the files."""
    files, calls = {}, []
    for i in range(16):
        path = draw.choice(["a.txt", "b.txt"])
        now = files.get(path)
        if now is None or draw.random() < 0.25:
            files[path] = f"line {i}\n"
            calls.append(("write", {"path": path, "content": f"line {i}"}, ""))
        elif draw.random() < 0.5:
            files[path] = re.sub(r"line \d+", f"line {i}", now)
            calls.append(("edit", {"path": path, "old_text": now.strip(), "new_text": f"line {i}"}, "edited"))
        else:
            calls.append(("read", {"path": path}, now.strip()))
    return calls, files


class Order(unittest.TestCase):
    def directory(self):
        made = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, made)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+rwX", made])
        return made

    def keeps(self, kind, opened):
        draw = random.Random(7)
        for n in range(TURNS):
            root = self.directory()
            helve = kind(root, env={"HELVE_HOME": self.directory()})
            try:
                run = opened(helve)
            except ImportError as error:
                self.skipTest(str(error))
            calls, files = turn(draw)

            async def together():
                return await asyncio.gather(*(run(name, arguments) for name, arguments, _ in calls))

            for (name, arguments, want), said in zip(calls, asyncio.run(together())):
                self.assertNotIn("error:", str(said), f"turn {n}: {name} {arguments}")
                self.assertIn(want, str(said), f"turn {n}: {name} {arguments}")
            for path, content in files.items():
                self.assertEqual((pathlib.Path(root) / path).read_text(), content)

    def test_asyncio(self):
        self.keeps(AsyncHelve, plain)

    def test_openai_agents(self):
        self.keeps(Helve, openai_agents)

    def test_langchain(self):
        self.keeps(Helve, langchain)

    def test_pydantic_ai(self):
        self.keeps(Helve, pydantic_ai)

    def test_long(self):
        """What takes long holds back only its own paths; what is canceled is not made."""
        root = self.directory()
        helve = Helve(root, env={"HELVE_HOME": self.directory()})
        order = []
        command = "while ! test -e go; do sleep 0.05; done"
        long = threading.Thread(target=lambda: order.append(("exec", helve.run("exec", {"command": command}))))
        long.start()
        while not helve.queue._places:
            pass
        never = helve.queue.arrive("write", {"path": "never"})
        never.cancel()
        order.append(("write", helve.run("write", {"path": "go", "content": "x"})))
        long.join()
        self.assertEqual([name for name, _ in order], ["write", "exec"])
        self.assertTrue(all(outcome.ok for _, outcome in order), order)


if __name__ == "__main__":
    unittest.main()
