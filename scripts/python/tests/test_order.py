"""The order of the calls of a turn: provider.py makes some thirty calls in one turn, which are
right only one after the other, and frameworks make them at once. What each answers is compared
with a model of the file system. Run with the wheel installed."""

import asyncio
import os
import pathlib
import threading
import unittest

import provider
from helve_tools import AsyncHelve, Helve, Outcome
from provided import Provided

TURNS = int(os.environ.get("HELVE_ORDER_TURNS", "2"))
PROMPT = "Look after the files."


def openai_agents(kind):
    async def play(helve, url, key):
        import agents
        from openai import AsyncOpenAI

        from helve_tools.adapters.openai_agents import tools

        client = AsyncOpenAI(base_url=url + "/v1", api_key=key, max_retries=0)
        model = getattr(agents, kind)(model="m", openai_client=client)
        return (await agents.Runner.run(agents.Agent(name="a", tools=tools(helve), model=model), PROMPT)).final_output

    return play


async def langchain(helve, url, key):
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI

    from helve_tools.adapters.langchain import tools

    model = ChatOpenAI(model="m", base_url=url + "/v1", api_key=key, max_retries=0)
    said = {"messages": [{"role": "user", "content": PROMPT}]}
    return (await create_agent(model, tools(helve)).ainvoke(said))["messages"][-1].content


async def pydantic_ai(helve, url, key):
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from helve_tools.adapters.pydantic_ai import tools

    model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=url + "/v1", api_key=key))
    return (await Agent(model, tools=tools(helve)).run(PROMPT)).output


async def smolagents(helve, url, key):
    from smolagents import OpenAIModel, ToolCallingAgent

    from helve_tools.adapters.smolagents import tools

    # More threads begin in any order.
    model = OpenAIModel("m", api_base=url + "/v1", api_key=key)
    agent = ToolCallingAgent(tools=tools(helve), model=model, max_tool_threads=1, verbosity_level=0)
    return await asyncio.to_thread(agent.run, PROMPT)


class Order(Provided):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.loop = asyncio.new_event_loop()  # one for all: frameworks keep their clients

    @classmethod
    def tearDownClass(cls):
        cls.loop.close()
        super().tearDownClass()

    def keeps(self, play, prefix=""):
        """Fail unless each turn through a framework comes to what the model of it says."""
        for seed in range(TURNS):
            with self.subTest(seed=seed):
                root, key = self.directory(), f"{prefix}order-{seed}-{self.id()}"
                helve = Helve(root, env={"HELVE_HOME": self.directory()})
                try:
                    said = self.loop.run_until_complete(play(helve, self.url, key))
                except ImportError as error:
                    if os.environ.get("REQUIRE_JUDGES") == "1":
                        raise
                    self.skipTest(str(error))
                self.assertEqual(self.verdict(key), {"finished": True, "turns": 2, "faults": []})
                self.assertEqual(said, provider.LAST)
                self.holds(root, provider.drawn(seed)[1])

    def holds(self, root, files):
        for path, content in files.items():
            self.assertEqual((pathlib.Path(root) / path).read_text(), content)

    def test_openai_agents_chat(self):
        self.keeps(openai_agents("OpenAIChatCompletionsModel"))

    def test_openai_agents_responses(self):
        self.keeps(openai_agents("OpenAIResponsesModel"))

    def test_langchain(self):
        self.keeps(langchain)

    def test_pydantic_ai(self):
        self.keeps(pydantic_ai)

    def test_smolagents(self):
        self.keeps(smolagents, "text-")

    def test_asyncio(self):
        self.gathers(AsyncHelve, lambda helve: helve.run)

    def test_google_adk(self):
        """Without its agent, whose requests only Google's own model takes."""
        try:
            from helve_tools.adapters.google_adk import tools
        except ImportError as error:  # requirements.txt has it not
            self.skipTest(str(error))

        def caller(helve):
            by_name = {tool.name: tool for tool in tools(helve)}

            async def run(tool, arguments):
                said = await by_name[tool].run_async(args=arguments, tool_context=None)
                return Outcome("output" in said, *said.values())

            return run

        self.gathers(Helve, caller)

    def gathers(self, kind, caller):
        """Fail unless turns whose calls are made at once come to what the model of them says."""

        async def together(run, calls):
            return await asyncio.gather(*(run(tool, arguments) for tool, arguments, _, _ in calls))

        for seed in range(TURNS):
            root = self.directory()
            calls, files = provider.drawn(seed)
            run = caller(kind(root, env={"HELVE_HOME": self.directory()}))
            said = self.loop.run_until_complete(together(run, calls))
            provider.check_results([calls], 0, [(outcome.text, not outcome.ok) for outcome in said])
            self.holds(root, files)

    def test_long(self):
        """What takes long holds back only its own paths; what is canceled is not made."""
        root = self.directory()
        helve = Helve(root, env={"HELVE_HOME": self.directory()})
        command, ended = "while ! test -e go; do sleep 0.05; done", []
        long = threading.Thread(target=lambda: ended.append(helve.call("exec", {"command": command, "timeout": 300})))
        long.start()
        while not helve.queue._places:
            pass
        never = helve.queue.arrive("write", {"path": "never"})
        never.cancel()
        helve.call("write", {"path": "go", "content": "x"})  # without it the command would not end
        long.join()
        self.assertEqual((ended[0]["exit_code"], ended[0]["timed_out"]), (0, False))


if __name__ == "__main__":
    unittest.main()
