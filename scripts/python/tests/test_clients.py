"""Providers' clients and agent frameworks, unmodified, against provider.py: each reads, edits,
runs a command, meets an error and an approval, and finishes. Run with the wheel installed."""

import asyncio
import pathlib
import unittest

from helve_tools import Helve
from provided import Provided

PROMPT = "Look after the notes."
TOOLS = ["read", "edit", "exec", "delete"]


class Conversation(Provided):
    def setUp(self):
        self.dir = pathlib.Path(self.directory())
        for name, text in (("notes.txt", "one\ntwo\n"), ("old.txt", "old\n"), ("keep.txt", "keep\n")):
            (self.dir / name).write_text(text)
        self.asked = []
        self.helve = Helve(str(self.dir), on_approval=self.on_approval, env={"HELVE_HOME": self.directory()})

    def on_approval(self, request):
        path = request["args"]["path"]
        self.asked.append(path)
        return path == "old.txt" or "it is still needed"

    def played(self, key, said):
        """Fail unless the whole script was played."""
        self.assertEqual(self.verdict(key), {"finished": True, "turns": 5, "faults": []})
        self.assertEqual(said, "finished")
        self.assertEqual((self.dir / "notes.txt").read_text(), "one\n2\n")
        self.assertEqual(sorted(self.asked), ["keep.txt", "old.txt"])
        self.assertEqual(sorted(p.name for p in self.dir.glob("*.txt")), ["keep.txt", "notes.txt"])


class TestClients(Conversation):
    def test_openai_chat(self):
        from openai import OpenAI

        for strict in False, True:
            with self.subTest(strict=strict):
                self.setUp()
                key = f"chat-{strict}"
                client = OpenAI(base_url=self.url + "/v1", api_key=key, max_retries=0)
                tools, messages = self.helve.definitions("openai", strict=strict), [{"role": "user", "content": PROMPT}]
                while True:
                    completion = client.chat.completions.create(model="m", messages=messages, tools=tools)
                    messages.append(completion.choices[0].message)
                    answers = self.helve.answer(completion)
                    if not answers:
                        break
                    messages += answers
                self.played(key, completion.choices[0].message.content)

    def test_openai_responses(self):
        from openai import OpenAI

        for stored in False, True:
            with self.subTest(stored=stored):
                self.setUp()
                key = f"responses-{stored}"
                client = OpenAI(base_url=self.url + "/v1", api_key=key, max_retries=0)
                tools = self.helve.definitions("openai-responses", strict=stored)
                items, before = [{"role": "user", "content": PROMPT}], None
                while True:
                    response = client.responses.create(model="m", input=items, tools=tools, previous_response_id=before)
                    answers = self.helve.answer(response)
                    if not answers:
                        break
                    if stored:
                        items, before = answers, response.id
                    else:
                        items += [*response.output, *answers]
                self.played(key, response.output_text)

    def test_anthropic(self):
        from anthropic import Anthropic

        for strict in False, True:
            with self.subTest(strict=strict):
                self.setUp()
                key = f"anthropic-{strict}"
                client = Anthropic(base_url=self.url, api_key=key, max_retries=0)
                tools, messages = self.helve.definitions("anthropic", strict=strict), [{"role": "user", "content": PROMPT}]
                while True:
                    message = client.messages.create(model="m", max_tokens=1000, messages=messages, tools=tools)
                    messages.append({"role": "assistant", "content": message.content})
                    answers = self.helve.answer(message)
                    if not answers:
                        break
                    messages += answers
                self.played(key, message.content[0].text)

    def test_gemini(self):
        from google import genai
        from google.genai import types

        client = genai.Client(api_key="gemini", http_options=types.HttpOptions(base_url=self.url))
        config = types.GenerateContentConfig(tools=self.helve.definitions("gemini"))
        contents = [types.Content(role="user", parts=[types.Part(text=PROMPT)])]
        while True:
            response = client.models.generate_content(model="m", contents=contents, config=config)
            contents.append(response.candidates[0].content)
            answers = self.helve.answer(response)
            if not answers:
                break
            contents += answers
        self.played("gemini", response.text)

    def test_session(self):
        from openai import OpenAI

        client = OpenAI(base_url=self.url + "/v1", api_key="session", max_retries=0)
        tools, messages = self.helve.definitions("openai"), [{"role": "user", "content": PROMPT}]
        with self.helve.session() as session:
            while True:
                completion = client.chat.completions.create(model="m", messages=messages, tools=tools)
                messages.append(completion.choices[0].message)
                answers = session.answer(completion)
                if not answers:
                    break
                messages += answers
        self.played("session", messages[-1].content)


class TestFrameworks(Conversation):
    def test_openai_agents(self):
        from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner
        from openai import AsyncOpenAI

        from helve_tools.adapters.openai_agents import tools

        for model in OpenAIChatCompletionsModel, OpenAIResponsesModel:
            with self.subTest(model.__name__):
                self.setUp()
                client = AsyncOpenAI(base_url=self.url + "/v1", api_key=model.__name__, max_retries=0)
                agent = Agent(name="notes", tools=tools(self.helve, TOOLS), model=model(model="m", openai_client=client))
                result = asyncio.run(Runner.run(agent, PROMPT))
                self.played(model.__name__, result.final_output)

    def test_langchain(self):
        from langchain.agents import create_agent
        from langchain_openai import ChatOpenAI

        from helve_tools.adapters.langchain import tools

        for asynchronous in False, True:
            with self.subTest(asynchronous=asynchronous):
                self.setUp()
                key = f"langchain-{asynchronous}"
                model = ChatOpenAI(model="m", base_url=self.url + "/v1", api_key=key, max_retries=0)
                agent = create_agent(model, tools(self.helve, TOOLS))
                said = {"messages": [{"role": "user", "content": PROMPT}]}
                state = asyncio.run(agent.ainvoke(said)) if asynchronous else agent.invoke(said)
                failed = [m.status == "error" for m in state["messages"] if m.type == "tool"]
                self.assertEqual(failed, [False, False, False, True, False, True])
                self.played(key, state["messages"][-1].content)

    def test_pydantic_ai(self):
        from pydantic_ai import Agent
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        from helve_tools.adapters.pydantic_ai import tools

        model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=self.url + "/v1", api_key="pydantic"))
        result = Agent(model, tools=tools(self.helve, TOOLS)).run_sync(PROMPT)
        self.played("pydantic", result.output)

    def test_smolagents(self):
        from smolagents import OpenAIModel, ToolCallingAgent

        from helve_tools.adapters.smolagents import tools

        # It keeps the calls of earlier turns as text.
        model = OpenAIModel("m", api_base=self.url + "/v1", api_key="text-smolagents")
        agent = ToolCallingAgent(tools=tools(self.helve, TOOLS), model=model, verbosity_level=0)
        self.played("text-smolagents", agent.run(PROMPT))


if __name__ == "__main__":
    unittest.main()
