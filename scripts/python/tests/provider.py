#!/usr/bin/env python3
"""A model provider that plays a script, and refuses what real providers refuse.

    python3 provider.py [--port N]

It listens on 127.0.0.1, prints {"port": N} on the first line of standard output, and ends
when its standard input ends or something is posted to /exit. The paths are those of the
providers:

    POST /v1/chat/completions                      OpenAI Chat Completions
    POST /v1/responses                             OpenAI Responses
    POST /v1/messages                              Anthropic Messages
    POST /v1/models/MODEL:generateContent          Gemini; also below /v1beta
    GET  /verdict                                  {"KEY": {"finished": true, "turns": 5, "faults": []}, ...}
    GET  /drawn/SEED                               {"calls": [[tool, arguments, words, fails], ...], "files": {...}}

The API key names the conversation, so that many can go on at once: a key for each client.
With a key that starts with "text-" the client may keep the calls of earlier turns as text,
as some frameworks do; their results are looked for in the text that follows.

The script is SCRIPT below: the model reads notes.txt, edits it and runs a command at once,
makes a call that fails, deletes two files, which takes an approval, and finishes. With a key
such as "order-7-name" it is a turn of many calls, drawn by that number, which are right only in
their order: see drawn. A request must repeat what the model said before, and answer each of its calls once, in its place,
marked as failed if it failed, with the words of the script in it. What a provider would not
take is a status 400 with the reason, and a fault in the verdict: an unknown field, a wrong
order of roles, a definition that the provider cannot use or that is not strict although
it says so.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The turns of the model: (tool, arguments, words of its result, whether it fails).
SCRIPT = [
    [("read", {"path": "notes.txt"}, "two", False)],
    [
        ("edit", {"path": "notes.txt", "old_text": "two", "new_text": "2"}, "notes.txt", False),
        ("exec", {"command": "echo hello from the shell"}, "hello from the shell", False),
    ],
    [("edit", {"path": "notes.txt", "old_text": "missing", "new_text": "x"}, "(text_not_found)", True)],
    [
        ("delete", {"path": "old.txt"}, "old.txt", False),
        ("delete", {"path": "keep.txt"}, "it is still needed", True),
    ],
]
LAST = "finished"  # what the model says in the end


def drawn(seed):
    """Return the calls of a turn on two files, and the files after it. Seed 0 draws nothing: it
    writes, edits, edits and reads a file eight times. The model of the file system is a dict."""
    draw = random.Random(seed)
    files, calls = {}, []

    def call(tool, path, text):
        now = files.get(path, "")
        if tool == "write":
            calls.append((tool, {"path": path, "content": text}, path, False))
        elif tool == "edit":
            calls.append((tool, {"path": path, "old_text": now.strip(), "new_text": text}, "edited", False))
        else:
            calls.append((tool, {"path": path}, now.strip(), False))
            return
        files[path] = text + "\n"

    if seed == 0:
        for i in range(32):
            call(("write", "edit", "edit", "read")[i % 4], "a.txt", f"line {i}.")
        return calls, files
    for i in range(30):
        path = draw.choice(["a.txt", "b.txt"])
        tool = "write" if path not in files else draw.choice(["write", "edit", "edit", "read"])
        call(tool, path, f"line {i}.")
    for path in sorted(files):
        call("read", path, "")
    return calls, files


def script_of(key):
    """Return the script of a conversation."""
    order = re.match("(?:text-)?order-([0-9]+)", key)
    return [drawn(int(order[1]))[0]] if order else SCRIPT


class Refused(Exception):
    """What the provider answers with status 400."""


def need(condition, reason):
    if not condition:
        raise Refused(reason)


def fields(value, where, required=(), optional=()):
    """Refuse what is no object, lacks fields or has others."""
    need(isinstance(value, dict), f"{where}: want an object")
    for name in required:
        need(name in value, f"{where}: missing field {name}")
    for name in value:
        need(name in required or name in optional, f"{where}: unknown field {name}")
    return value


def text_of(content, where, kinds=("text",)):
    """Return a content that is a text, or a list of text parts."""
    if isinstance(content, str):
        return content
    need(isinstance(content, list) and content, f"{where}: want a text or parts")
    for part in content:
        fields(part, where, ("type", "text"), ("cache_control", "citations", "annotations", "logprobs"))
        need(part["type"] in kinds and isinstance(part["text"], str), f"{where}: unknown part {part['type']}")
    return "".join(part["text"] for part in content)


# Definitions

ANNOTATIONS = ("description", "title")
STRICT = ANNOTATIONS + (
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs",
    "pattern", "format", "minLength", "maxLength", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "minItems", "maxItems",
)  # fmt: skip


def strict(schema, where):
    """Refuse what structured outputs do not take:
    https://platform.openai.com/docs/guides/structured-outputs#supported-schemas"""
    need(isinstance(schema, dict), f"{where}: want a schema")
    for name in schema:
        need(name in STRICT, f"{where}: {name} is not permitted in a strict schema")
    kinds = schema.get("type", [])
    if "object" in ([kinds] if isinstance(kinds, str) else kinds):
        properties = schema.get("properties", {})
        need(schema.get("additionalProperties") is False, f"{where}: additionalProperties must be false")
        need(set(schema.get("required", [])) == set(properties), f"{where}: required must list every property")
    for name, member in schema.get("properties", {}).items():
        strict(member, f"{where}.{name}")
    if "items" in schema:
        strict(schema["items"], f"{where}[]")
    for i, member in enumerate(schema.get("anyOf", [])):
        strict(member, f"{where}|{i}")


def plain(schema, where):
    """Refuse a root that no provider takes for a tool."""
    need(isinstance(schema, dict) and schema.get("type") == "object", f"{where}: the root must be an object")
    for name in ("anyOf", "oneOf", "allOf", "not", "enum"):
        need(name not in schema, f"{where}: {name} at the root")


def names(tools, pattern):
    """Return the tools by name."""
    need(isinstance(tools, list) and tools, "tools: there are none")
    by_name = {}
    for tool in tools:
        name = tool.get("name")
        need(isinstance(name, str) and re.fullmatch(pattern, name), f"tools: invalid name {name!r}")
        need(name not in by_name, f"tools: {name} is there twice")
        need(isinstance(tool.get("description", ""), str), f"tools: description of {name}")
        by_name[name] = tool
    return by_name


# The model


class Turn:
    """What the model says at a point of the conversation."""

    def __init__(self, script, number, tools, schemas):
        self.number = number
        self.text = None
        self.calls = []  # (id, tool, arguments)
        if number < len(script):
            for i, (tool, arguments, _, _) in enumerate(script[number]):
                need(tool in tools, f"the model wants {tool}, which is not among the tools")
                arguments = dict(arguments)
                if tools[tool].get("strict"):  # then a model writes all that is required
                    for name in schemas[tool]["required"]:
                        arguments.setdefault(name, None)
                self.calls.append((f"call_{number}_{i}", tool, arguments))
        elif "final_answer" in tools:
            self.calls.append(("call_final", "final_answer", {"answer": LAST}))
        else:
            self.text = LAST


def same_call(said, id, name, arguments, where):
    need((id, name) == said[:2], f"{where}: the model did not call {name} as {id}")
    need(arguments == said[2], f"{where}: the model did not call {name} with {json.dumps(arguments)}")


def check_results(script, number, results):
    """Refuse the results of a turn, [(text, failed or None)], if they are not the script's."""
    for (tool, _, words, fails), (text, failed) in zip(script[number], results):
        need(words in text, f"turn {number}: the result of {tool} has no {words!r}: {text}")
        need(failed is None or failed == fails, f"turn {number}: the result of {tool} is marked failed={failed}")


# OpenAI Chat Completions

CHAT = (
    "tools", "tool_choice", "parallel_tool_calls", "stream", "stream_options", "temperature", "top_p", "max_tokens",
    "max_completion_tokens", "stop", "n", "seed", "user", "store", "metadata", "reasoning_effort", "response_format",
    "frequency_penalty", "presence_penalty", "logprobs", "top_logprobs", "service_tier", "verbosity", "modalities",
)  # fmt: skip


def chat(body, script=SCRIPT, as_text=False):
    fields(body, "request", ("model", "messages"), CHAT)
    need(not body.get("stream"), "stream: this server does not stream")
    tools, schemas = functions([fields(t, "tools", ("type", "function"))["function"] for t in body.get("tools", [])])
    messages = body["messages"]
    need(isinstance(messages, list) and messages, "messages: there are none")
    number, at = 0, 0
    while at < len(messages):
        message = messages[at]
        where = f"messages[{at}]"
        role = fields(message, where, ("role",), ("content", "name", "refusal", "annotations", "audio", "tool_calls", "tool_call_id", "function_call"))["role"]
        at += 1
        if role in ("system", "developer", "user"):
            fields(message, where, ("role", "content"), ("name",))
            text_of(message["content"], where)
            continue
        need(role == "assistant", f"{where}: a message with role {role!r} must follow a message with tool_calls")
        need("tool_call_id" not in message and not message.get("function_call"), f"{where}: unknown field")
        turn = Turn(script, number, tools, schemas)
        if as_text:
            results = "\n".join(text_of(m["content"], where) for m in messages[at:] if m["role"] == "user")
            check_results(script, number, [(results, None)] * len(turn.calls))
            number += 1
            continue
        calls = message.get("tool_calls")
        need(calls or message.get("content"), f"{where}: content or tool_calls is needed")
        need(calls is None or calls, f"{where}: tool_calls is empty")
        need(len(calls or []) == len(turn.calls), f"{where}: the model made {len(turn.calls)} calls")
        for said, call in zip(turn.calls, calls or []):
            fields(call, where, ("id", "type", "function"))
            function = fields(call["function"], where, ("name", "arguments"))
            need(call["type"] == "function" and isinstance(function["arguments"], str), f"{where}: want a function with arguments as text")
            same_call(said, call["id"], function["name"], json.loads(function["arguments"]), where)
        answers = {}
        while at < len(messages) and messages[at].get("role") == "tool":
            answer = fields(messages[at], f"messages[{at}]", ("role", "tool_call_id", "content"))
            id = answer["tool_call_id"]
            need(id in [c[0] for c in turn.calls], f"messages[{at}]: tool_call_id {id} is not of the message before")
            need(id not in answers, f"messages[{at}]: {id} is answered twice")
            answers[id] = text_of(answer["content"], f"messages[{at}]")
            at += 1
        missing = [c[0] for c in turn.calls if c[0] not in answers]
        need(not missing, f"{where}: tool_calls must be followed by tool messages that answer {missing}")
        check_results(script, number, [(answers[c[0]], None) for c in turn.calls])
        number += 1
    need(messages[-1]["role"] != "assistant", "messages: the last one is the model's")
    turn = Turn(script, number, tools, schemas)
    message = {"role": "assistant", "content": turn.text, "refusal": None, "annotations": []}
    if turn.calls:
        message["tool_calls"] = [
            {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for id, name, arguments in turn.calls
        ]
    reason = "tool_calls" if turn.calls else "stop"
    return turn, {
        "id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1700000000, "model": body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip


def functions(tools):
    """Return the tools and schemas of OpenAI's functions by name."""
    for function in tools:
        fields(function, "tools", ("name",), ("type", "description", "parameters", "strict", "defer_loading"))
    tools = names(tools, "[a-zA-Z0-9_-]{1,64}")
    schemas = {name: t.get("parameters", {"type": "object", "properties": {}}) for name, t in tools.items()}
    for name, schema in schemas.items():
        plain(schema, name)
        if tools[name].get("strict"):
            strict(schema, name)
    return tools, schemas


# OpenAI Responses

RESPONSES = (
    "tools", "instructions", "tool_choice", "parallel_tool_calls", "previous_response_id", "store", "include", "stream",
    "reasoning", "text", "truncation", "temperature", "top_p", "max_output_tokens", "max_tool_calls", "metadata", "user",
    "prompt_cache_key", "safety_identifier", "service_tier", "background", "conversation", "prompt", "top_logprobs",
)  # fmt: skip
STORED = {}  # by the id of a response: the items up to it


def responses(body, script=SCRIPT, as_text=False):
    fields(body, "request", ("model", "input"), RESPONSES)
    need(not body.get("stream"), "stream: this server does not stream")
    for tool in body.get("tools", []):
        need(isinstance(tool, dict) and tool.get("type") == "function", "tools: want functions")
    tools, schemas = functions(body.get("tools", []))
    items = body["input"]
    if isinstance(items, str):
        items = [{"role": "user", "content": items}]
    if body.get("previous_response_id"):
        need(body["previous_response_id"] in STORED, "previous_response_id: there is no such response")
        items = STORED[body["previous_response_id"]] + items
    calls, outputs, number = {}, {}, 0
    expected = []
    for i, item in enumerate(items):
        where = f"input[{i}]"
        kind = item.get("type", "message")
        if kind == "message":
            fields(item, where, ("role", "content"), ("type", "id", "status", "phase"))
            need(item["role"] in ("user", "system", "developer", "assistant"), f"{where}: unknown role {item['role']}")
            text_of(item["content"], where, ("input_text", "output_text"))
        elif kind == "function_call":
            fields(item, where, ("type", "call_id", "name", "arguments"), ("id", "status", "namespace", "caller"))
            if not expected:
                need(set(outputs) == set(calls), f"{where}: no tool output found for a function call before")
                expected = list(Turn(script, number, tools, schemas).calls)
                need(expected, f"{where}: the model made no call")
                number += 1
            same_call(expected.pop(0), item["call_id"], item["name"], json.loads(item["arguments"]), where)
            calls[item["call_id"]] = item
        elif kind == "function_call_output":
            fields(item, where, ("type", "call_id", "output"), ("id", "status", "caller"))
            id = item["call_id"]
            need(id in calls, f"{where}: no tool call found for function call output with call_id {id}")
            need(id not in outputs, f"{where}: {id} is answered twice")
            outputs[id] = text_of(item["output"], where, ("input_text",))
        else:
            need(False, f"{where}: unknown type {kind}")
    missing = sorted(set(calls) - set(outputs))
    need(not missing and not expected, f"input: no tool output found for function call {missing or expected}")
    for n in range(number):
        check_results(script, n, [(outputs[f"call_{n}_{i}"], None) for i in range(len(script[n]))])
    turn = Turn(script, number, tools, schemas)
    output = [
        {"type": "function_call", "id": f"fc_{id}", "call_id": id, "name": name, "arguments": json.dumps(arguments), "status": "completed"}
        for id, name, arguments in turn.calls
    ]
    if turn.text:
        content = [{"type": "output_text", "text": turn.text, "annotations": []}]
        output.append({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content})
    id = f"resp_{number}"
    STORED[id] = items + output
    return turn, {
        "id": id, "object": "response", "created_at": 1700000000, "status": "completed", "error": None,
        "incomplete_details": None, "instructions": None, "max_output_tokens": None, "model": body["model"],
        "output": output, "parallel_tool_calls": True, "previous_response_id": None, "temperature": 1, "top_p": 1,
        "tool_choice": "auto", "tools": [], "truncation": "disabled", "metadata": {}, "text": {"format": {"type": "text"}},
        "usage": {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
                  "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2},
    }  # fmt: skip


# Anthropic Messages

MESSAGES = (
    "tools", "system", "tool_choice", "stream", "temperature", "top_k", "top_p", "stop_sequences", "metadata", "thinking",
    "service_tier", "container", "context_management", "output_config", "cache_control",
)  # fmt: skip


def anthropic(body, script=SCRIPT, as_text=False):
    fields(body, "request", ("model", "messages", "max_tokens"), MESSAGES)
    need(not body.get("stream"), "stream: this server does not stream")
    for tool in body.get("tools", []):
        fields(tool, "tools", ("name", "input_schema"), ("type", "description", "cache_control", "strict", "eager_input_streaming", "defer_loading", "allowed_callers", "input_examples"))
    tools = names(body.get("tools"), "[a-zA-Z0-9_-]{1,128}")
    schemas = {name: tool["input_schema"] for name, tool in tools.items()}
    for name, schema in schemas.items():
        plain(schema, name)
        need("$ref" not in json.dumps(schema), f"{name}: $ref")
        for property in schema.get("properties", {}):
            need(re.fullmatch("[a-zA-Z0-9_.-]{1,64}", property), f"{name}: property {property}")
        if tools[name].get("strict"):
            need(schema.get("additionalProperties") is False, f"{name}: additionalProperties must be false")
    messages = body["messages"]
    need(messages and messages[0].get("role") == "user", "messages: the first must be the user's")
    number, turn = 0, None
    for i, message in enumerate(messages):
        where = f"messages[{i}]"
        fields(message, where, ("role", "content"))
        need(message["role"] in ("user", "assistant"), f"{where}: unknown role {message['role']}")
        blocks = message["content"]
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        need(blocks, f"{where}: content is empty")
        results = [b for b in blocks if b.get("type") == "tool_result"]
        if turn and turn.calls:  # the message before had calls
            need(message["role"] == "user", f"{where}: tool_use without tool_result after it")
            need(blocks[: len(results)] == results, f"{where}: tool_result blocks must come first")
            answers = {}
            for block in results:
                fields(block, where, ("type", "tool_use_id"), ("content", "is_error", "cache_control"))
                id = block["tool_use_id"]
                need(id in [c[0] for c in turn.calls], f"{where}: unexpected tool_use_id {id}")
                need(id not in answers, f"{where}: each tool_use must have a single result: {id}")
                answers[id] = (text_of(block.get("content", ""), where), bool(block.get("is_error")))
            missing = [c[0] for c in turn.calls if c[0] not in answers]
            need(not missing, f"{where}: tool_use ids without tool_result: {missing}")
            check_results(script, turn.number, [answers[c[0]] for c in turn.calls])
        else:
            need(not results, f"{where}: unexpected tool_result")
        turn = None
        if message["role"] == "assistant":
            turn = Turn(script, number, tools, schemas)
            number += 1
            uses = [b for b in blocks if b.get("type") == "tool_use"]
            need(len(uses) == len(turn.calls), f"{where}: the model made {len(turn.calls)} calls")
            for said, use in zip(turn.calls, uses):
                fields(use, where, ("type", "id", "name", "input"), ("cache_control", "caller"))
                same_call(said, use["id"], use["name"], use["input"], where)
        for block in blocks:
            need(block["type"] in ("text", "tool_use", "tool_result"), f"{where}: unknown block {block['type']}")
            if block["type"] == "text":
                fields(block, where, ("type", "text"), ("cache_control", "citations"))
                need(block["text"].strip(), f"{where}: text content blocks must contain non-whitespace text")
    need(messages[-1]["role"] == "user", "messages: the last must be the user's")
    turn = Turn(script, number, tools, schemas)
    content = [{"type": "text", "text": turn.text or "I use a tool."}]
    content += [{"type": "tool_use", "id": id, "name": name, "input": arguments} for id, name, arguments in turn.calls]
    return turn, {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"], "content": content,
        "stop_reason": "tool_use" if turn.calls else "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


# Gemini

GENERATE = ("tools", "toolConfig", "systemInstruction", "generationConfig", "safetySettings", "cachedContent", "labels")
SCHEMA = (
    "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
    "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering",
    "default", "items", "minimum", "maximum",
)  # fmt: skip


def gemini_schema(schema, where):
    """Refuse what the API's Schema has no field for."""
    need(isinstance(schema, dict), f"{where}: want a schema")
    for name in schema:  # which the API takes in snake_case, too
        need(re.sub("_(.)", lambda m: m[1].upper(), name) in SCHEMA, f"Invalid JSON payload received. Unknown name {name!r} at {where!r}")
    need(isinstance(schema.get("type", "OBJECT"), str), f"{where}: Proto field is not repeating, cannot start list")
    if schema.get("type", "").upper() == "ARRAY":
        need("items" in schema, f"{where}.items: missing field")
    for name in schema.get("required", []):
        need(name in schema.get("properties", {}), f"{where}.required: {name} is not defined")
    for name, member in schema.get("properties", {}).items():
        gemini_schema(member, f"{where}.{name}")
    for member in schema.get("anyOf", []) + ([schema["items"]] if "items" in schema else []):
        gemini_schema(member, f"{where}[]")


def gemini(body, script=SCRIPT, as_text=False):
    fields(body, "request", ("contents",), GENERATE)
    declared = []
    for tool in body.get("tools", []):
        declared += fields(tool, "tools", ("functionDeclarations",))["functionDeclarations"]
    for function in declared:
        fields(function, "tools", ("name",), ("description", "parameters", "parametersJsonSchema", "response", "behavior"))
        need(not ("parameters" in function and "parametersJsonSchema" in function), "tools: two kinds of parameters")
        if "parameters" in function:
            gemini_schema(function["parameters"], function["name"])
    tools = names(declared, "[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
    contents = body["contents"]
    need(contents and contents[0].get("role", "user") == "user", "contents: the first must be the user's")
    number, turn = 0, None
    for i, content in enumerate(contents):
        where = f"contents[{i}]"
        parts = fields(content, where, ("parts",), ("role",))["parts"]
        role = content.get("role", "user")
        need(role in ("user", "model"), f"{where}: please use a valid role: user, model")
        need(parts, f"{where}: parts is empty")
        for part in parts:
            fields(part, where, (), ("text", "functionCall", "functionResponse", "thoughtSignature", "thought"))
            need(len([n for n in part if n in ("text", "functionCall", "functionResponse")]) == 1, f"{where}: a part has one kind of data")
        found = [p["functionResponse"] for p in parts if "functionResponse" in p]
        if turn and turn.calls:
            need(role == "user" and len(found) == len(turn.calls) == len(parts), f"{where}: the number of function response parts must be that of the function call parts")
            results = []
            for said, response in zip(turn.calls, found):
                fields(response, where, ("name", "response"), ("id", "willContinue", "scheduling", "parts"))
                need(response["name"] == said[1], f"{where}: response of {response['name']}, not of {said[1]}")
                need(response.get("id") == (said[0] if turn.number else None), f"{where}: id of {said[1]}")
                result = response["response"]
                need(isinstance(result, dict), f"{where}: response must be an object")
                failed = "error" in result
                need(failed or "output" in result or "result" in result, f"{where}: response has no output")
                results.append((str(result.get("error") if failed else result.get("output", result.get("result"))), failed))
            check_results(script, turn.number, results)
        else:
            need(not found, f"{where}: a function response turn must come right after a function call turn")
        turn = None
        if role == "model":
            turn = Turn(script, number, tools, {})
            number += 1
            calls = [p for p in parts if "functionCall" in p]
            need(len(calls) == len(turn.calls), f"{where}: the model made {len(turn.calls)} calls")
            for n, (said, part) in enumerate(zip(turn.calls, calls)):
                call = fields(part["functionCall"], where, ("name",), ("id", "args"))
                same_call(said, call.get("id", said[0]), call["name"], call.get("args", {}), where)
                need(n > 0 or part.get("thoughtSignature") == "c2lnbmF0dXJl", f"{where}: function call is missing a thought_signature")
    need(contents[-1].get("role", "user") == "user", "contents: the last must be the user's")
    turn = Turn(script, number, tools, {})
    parts = [{"text": turn.text}] if turn.text else []
    for n, (id, name, arguments) in enumerate(turn.calls):
        part = {"functionCall": {"name": name, "args": arguments}}
        if number > 0:  # calls of the first turn have no id, as older models make them
            part["functionCall"]["id"] = id
        if n == 0:
            part["thoughtSignature"] = "c2lnbmF0dXJl"
        parts.append(part)
    return turn, {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": "gemini-3-pro", "responseId": f"r{number}",
    }  # fmt: skip


# The server

VERDICT = {}
LOCK = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, document):
        text = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        seed = re.fullmatch("/drawn/([0-9]+)", self.path)
        if seed:
            calls, files = drawn(int(seed[1]))
            return self.reply(200, {"calls": calls, "files": files})
        if self.path != "/verdict":
            return self.reply(404, {"error": {"message": "not found"}})
        with LOCK:
            self.reply(200, VERDICT)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        if path == "/exit":
            self.reply(200, {})
            threading.Thread(target=self.server.shutdown).start()
            return
        play = {"/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": anthropic}.get(path)
        if re.fullmatch(r"/v1(beta)?/models/[^/:]+:generateContent", path):
            play = gemini
        key = self.headers.get("Authorization", "").replace("Bearer ", "")
        if play is anthropic:
            key = (key or self.headers.get("x-api-key", "")) if self.headers.get("anthropic-version") else ""
        if play is gemini:
            key = self.headers.get("x-goog-api-key", "")
        with LOCK:
            verdict = VERDICT.setdefault(key, {"finished": False, "turns": 0, "faults": []})
            try:
                need(key, "no API key or no version of the API in the headers")
                need(play, f"no such path: {path}")
                need(not verdict["finished"], "the model has finished already")
                script = script_of(key)
                turn, answer = play(json.loads(body), script, key.startswith("text-"))
                verdict["turns"] = turn.number + 1
                verdict["finished"] = turn.number >= len(script)
            except Exception as error:  # whatever is wrong with a request is a fault of the client
                reason = str(error) if isinstance(error, Refused) else repr(error)
                verdict["faults"].append(reason)
                return self.reply(400, {"type": "error", "error": {"type": "invalid_request_error", "code": 400, "status": "INVALID_ARGUMENT", "message": reason}})
        self.reply(200, answer)


def main():
    parser = argparse.ArgumentParser(description="A strict model provider that plays a script.")
    parser.add_argument("--port", type=int, default=0, help="where to listen; 0 takes a free one")
    server = ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler)
    server.daemon_threads = True
    print(json.dumps({"port": server.server_address[1]}), flush=True)

    def wait():
        sys.stdin.buffer.read()
        server.shutdown()

    threading.Thread(target=wait, daemon=True).start()
    server.serve_forever()
    server.server_close()


if __name__ == "__main__":
    main()
