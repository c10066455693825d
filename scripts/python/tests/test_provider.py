"""provider.py itself: it takes a conversation that is right, and refuses each way to get one
wrong."""

import copy
import json
import unittest

import provider

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": False}
NAMES = ["read", "edit", "exec", "delete"]


def results(number):
    """The results of a turn: (text, failed)."""
    return [(words, fails) for _, _, words, fails in provider.SCRIPT[number]]


class Chat:
    """A client of one API: how it asks, and what the second request is at which mistakes
    are tried. calls and answers are where it has them."""

    play = staticmethod(provider.chat)

    def request(self):
        tools = [{"type": "function", "function": {"name": n, "description": "d", "parameters": copy.deepcopy(SCHEMA)}} for n in NAMES]
        return {"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}], "tools": tools}

    def go_on(self, body, answer, number):
        message = answer["choices"][0]["message"]
        body["messages"].append(message)
        for call, (text, _) in zip(message.get("tool_calls", []), results(number)):
            body["messages"].append({"role": "tool", "tool_call_id": call["id"], "content": text})

    mistakes = {
        "an unknown field": lambda b: b.update(x=1),
        "no model": lambda b: b.pop("model"),
        "a stream": lambda b: b.update(stream=True),
        "a field of a message": lambda b: b["messages"][-1].update(name="edit"),
        "unanswered": lambda b: b["messages"].pop(),
        "answered twice": lambda b: b["messages"].append(b["messages"][-1]),
        "an unknown id": lambda b: b["messages"][-1].update(tool_call_id="call_9"),
        "a user in between": lambda b: b["messages"].insert(-1, {"role": "user", "content": "u"}),
        "an answer before its call": lambda b: b["messages"].insert(0, b["messages"][-1]),
        "an empty answer": lambda b: b["messages"][-1].update(content=[]),
        "a result of another call": lambda b: b["messages"][-1].update(content="x"),
        "another call": lambda b: b["messages"][-3]["tool_calls"][0]["function"].update(arguments="{}"),
        "a lost call": lambda b: b["messages"][-3].pop("tool_calls"),
        "arguments that are no text": lambda b: b["messages"][-3]["tool_calls"][0]["function"].update(arguments={}),
        "the model last": lambda b: b["messages"].append({"role": "assistant", "content": "x"}),
        "an unknown role": lambda b: b["messages"][0].update(role="tools"),
        "a name": lambda b: b["tools"][0]["function"].update(name="re ad"),
        "a tool twice": lambda b: b["tools"].append(b["tools"][0]),
        "a missing tool": lambda b: b["tools"].pop(0),
        "a root that is no object": lambda b: b["tools"][0]["function"]["parameters"].update(type="string"),
        "a root combinator": lambda b: b["tools"][0]["function"]["parameters"].update(oneOf=[]),
        "strict without required": lambda b: b["tools"][0]["function"].update(strict=True, parameters={**SCHEMA, "required": []}),
        "strict and open": lambda b: b["tools"][0]["function"].update(strict=True, parameters={**SCHEMA, "additionalProperties": True}),
        "strict with a default": lambda b: b["tools"][0]["function"].update(
            strict=True, parameters={**SCHEMA, "properties": {"path": {"type": "string", "default": ""}}}
        ),
        "strict below": lambda b: b["tools"][0]["function"].update(
            strict=True, parameters={**SCHEMA, "properties": {"path": {"type": "array", "items": {"type": "object", "properties": {}}}}}
        ),
    }


class Responses:
    play = staticmethod(provider.responses)

    def request(self):
        tools = [{"type": "function", "name": n, "description": "d", "parameters": SCHEMA} for n in NAMES]
        return {"model": "m", "input": [{"role": "user", "content": "u"}], "tools": tools}

    def go_on(self, body, answer, number):
        body["input"] += answer["output"]
        for item, (text, _) in zip(answer["output"], results(number) if number < len(provider.SCRIPT) else []):
            body["input"].append({"type": "function_call_output", "call_id": item["call_id"], "output": text})

    mistakes = {
        "an unknown field": lambda b: b.update(messages=[]),
        "a tool of Chat": lambda b: b["tools"].append({"type": "function", "function": {"name": "x"}}),
        "another tool": lambda b: b["tools"].append({"type": "magic"}),
        "unanswered": lambda b: b["input"].pop(),
        "answered twice": lambda b: b["input"].append(b["input"][-1]),
        "an unknown id": lambda b: b["input"][-1].update(call_id="call_9"),
        "an answer before its call": lambda b: b["input"].insert(0, b["input"].pop()),
        "a lost call": lambda b: b["input"].pop(-3),
        "another call": lambda b: b["input"][-3].update(arguments="{}"),
        "an unknown item": lambda b: b["input"].append({"type": "tool_result"}),
        "a message of Chat": lambda b: b["input"].append({"role": "tool", "content": "x"}),
        "a field of an item": lambda b: b["input"][-1].update(is_error=True),
        "a result of another call": lambda b: b["input"][-1].update(output="x"),
        "an unknown response": lambda b: b.update(previous_response_id="resp_x"),
    }


class Anthropic:
    play = staticmethod(provider.anthropic)

    def request(self):
        tools = [{"name": n, "description": "d", "input_schema": copy.deepcopy(SCHEMA)} for n in NAMES]
        return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "u"}], "tools": tools}

    def go_on(self, body, answer, number):
        body["messages"].append({"role": "assistant", "content": answer["content"]})
        uses = [b for b in answer["content"] if b["type"] == "tool_use"]
        blocks = [
            {"type": "tool_result", "tool_use_id": use["id"], "content": [{"type": "text", "text": text}], **({"is_error": True} if failed else {})}
            for use, (text, failed) in zip(uses, results(number) if number < len(provider.SCRIPT) else [])
        ]
        body["messages"].append({"role": "user", "content": blocks})

    mistakes = {
        "an unknown field": lambda b: b.update(x=1),
        "no max_tokens": lambda b: b.pop("max_tokens"),
        "a definition of Chat": lambda b: b["tools"].append({"type": "function", "function": {"name": "x"}}),
        "a root combinator": lambda b: b["tools"][0]["input_schema"].update(anyOf=[]),
        "a reference": lambda b: b["tools"][0]["input_schema"].update(properties={"a": {"$ref": "#/$defs/a"}}),
        "a property's name": lambda b: b["tools"][0]["input_schema"].update(properties={"a b": {}}),
        "a role": lambda b: b["messages"][-1].update(role="tool"),
        "unanswered": lambda b: b["messages"][-1]["content"].pop(),
        "no answers": lambda b: b["messages"].pop(),
        "answered twice": lambda b: b["messages"][-1]["content"].append(b["messages"][-1]["content"][0]),
        "an unknown id": lambda b: b["messages"][-1]["content"][0].update(tool_use_id="x"),
        "a text first": lambda b: b["messages"][-1]["content"].insert(0, {"type": "text", "text": "x"}),
        "a message in between": lambda b: b["messages"].insert(-1, {"role": "user", "content": "x"}),
        "an answer without a call": lambda b: b["messages"].append(b["messages"][-1]),
        "marked as failed": lambda b: b["messages"][-1]["content"][0].update(is_error=True),
        "a blank text": lambda b: b["messages"][-1]["content"].append({"type": "text", "text": " "}),
        "a field of a block": lambda b: b["messages"][-1]["content"][0].update(name="edit"),
        "the model first": lambda b: b["messages"].pop(0),
        "a lost call": lambda b: b["messages"][-2]["content"].pop(),
    }


class Gemini:
    play = staticmethod(provider.gemini)

    def request(self):
        schema = {"type": "OBJECT", "properties": {"path": {"type": "STRING"}}, "required": ["path"]}
        functions = [{"name": n, "description": "d", "parameters": copy.deepcopy(schema)} for n in NAMES]
        return {"contents": [{"role": "user", "parts": [{"text": "u"}]}], "tools": [{"functionDeclarations": functions}]}

    def go_on(self, body, answer, number):
        content = answer["candidates"][0]["content"]
        body["contents"].append(content)
        parts = []
        for part, (text, failed) in zip(content["parts"], results(number) if number < len(provider.SCRIPT) else []):
            call = part["functionCall"]
            response = {"name": call["name"], "response": {"error" if failed else "output": text}}
            parts.append({"functionResponse": {**response, **({"id": call["id"]} if "id" in call else {})}})
        body["contents"].append({"role": "user", "parts": parts})

    mistakes = {
        "an unknown field": lambda b: b.update(messages=[]),
        "a keyword": lambda b: b["tools"][0]["functionDeclarations"][0]["parameters"].update(additionalProperties=False),
        "a keyword below": lambda b: b["tools"][0]["functionDeclarations"][0]["parameters"]["properties"]["path"].update({"const": 1}),
        "a list of types": lambda b: b["tools"][0]["functionDeclarations"][0]["parameters"]["properties"]["path"].update(type=["STRING", "NULL"]),
        "a list without items": lambda b: b["tools"][0]["functionDeclarations"][0]["parameters"]["properties"]["path"].update(type="ARRAY"),
        "a name": lambda b: b["tools"][0]["functionDeclarations"][0].update(name="1read"),
        "required without property": lambda b: b["tools"][0]["functionDeclarations"][0]["parameters"].update(required=["x"]),
        "a role": lambda b: b["contents"][-1].update(role="tool"),
        "unanswered": lambda b: b["contents"][-1]["parts"].pop(),
        "answered twice": lambda b: b["contents"][-1]["parts"].append(b["contents"][-1]["parts"][0]),
        "out of order": lambda b: b["contents"][-1]["parts"].reverse(),
        "no id": lambda b: b["contents"][-1]["parts"][0]["functionResponse"].pop("id"),
        "a text beside": lambda b: b["contents"][-1]["parts"].append({"text": "x"}),
        "a response that is a text": lambda b: b["contents"][-1]["parts"][0]["functionResponse"].update(response="x"),
        "an error for an output": lambda b: b["contents"][-1]["parts"][0]["functionResponse"].update(response={"error": "notes.txt"}),
        "no signature": lambda b: b["contents"][-2]["parts"][0].pop("thoughtSignature"),
        "a message in between": lambda b: b["contents"].insert(-1, {"role": "user", "parts": [{"text": "x"}]}),
        "the model last": lambda b: b["contents"].pop(),
    }


class TestProvider(unittest.TestCase):
    def test_conversations(self):
        for client in Chat(), Responses(), Anthropic(), Gemini():
            with self.subTest(type(client).__name__):
                body = client.request()
                for number in range(len(provider.SCRIPT) + 1):
                    turn, answer = client.play(copy.deepcopy(body))
                    self.assertEqual(turn.number, number)
                    if number < len(provider.SCRIPT):
                        client.go_on(body, answer, number)
                self.assertIn(provider.LAST, json.dumps(answer))

    def test_mistakes(self):
        for client in Chat(), Responses(), Anthropic(), Gemini():
            right = client.request()
            for number in range(2):  # the second turn has two calls
                client.go_on(right, client.play(copy.deepcopy(right))[1], number)
            client.play(copy.deepcopy(right))
            for name, mistake in client.mistakes.items():
                with self.subTest(type(client).__name__ + ": " + name):
                    body = copy.deepcopy(right)
                    mistake(body)
                    with self.assertRaises(provider.Refused):
                        client.play(body)

    def test_strict_arguments(self):
        body = Chat().request()
        function = body["tools"][0]["function"]
        function["parameters"]["properties"]["limit"] = {"type": ["integer", "null"]}
        function["parameters"]["required"].append("limit")
        function["strict"] = True
        _, answer = provider.chat(body)
        arguments = answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
        self.assertEqual(json.loads(arguments), {"path": "notes.txt", "limit": None})

    def test_calls_as_text(self):
        body = Chat().request()
        body["messages"] += [{"role": "assistant", "content": "I call read."}, {"role": "user", "content": "one\ntwo"}]
        self.assertEqual(provider.chat(copy.deepcopy(body), as_text=True)[0].number, 1)
        body["messages"][-1]["content"] = "nothing"
        with self.assertRaises(provider.Refused):
            provider.chat(body, as_text=True)


if __name__ == "__main__":
    unittest.main()
