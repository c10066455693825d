"""Plays the tools that the conformance suite of MCP calls: fixture.py NAME, the call on standard
input, what the tool has to say on standard output, a line of JSON each."""

import json
import os
import sys
import urllib.request

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

call = json.load(sys.stdin)
given, can = call["arguments"], call["client"]  # what the client can be asked for
answers, state = call.get("inputResponses", {}), call.get("requestState", "")


def say(kind, **members):
    print(json.dumps({"type": kind, **members}))


def text(value):
    say("text", text=value)


def ask(given_state="", **requests):
    print(json.dumps({"inputRequests": requests, **({"requestState": given_state} if given_state else {})}))


def form(message, *required, **properties):
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sample(prompt, most=100):
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": most}}


ROOTS = {"method": "roots/list", "params": {}}
NAME, OK = {"name": {"type": "string"}}, {"ok": {"type": "boolean"}}


def entered(key):
    """What the person entered, None if they entered nothing."""
    answer = answers.get(key)
    if isinstance(answer, dict) and answer.get("action") == "accept" and isinstance(answer.get("content"), dict):
        return answer["content"]
    return None


def resource(uri):
    say("resource", resource={"uri": uri, "mimeType": "text/plain", "text": "This is an embedded resource"})


def image():
    say("image", data=PIXEL, mimeType="image/png")


def mixed():
    text("This is text content")
    image()
    resource("test://embedded-in-multiple")


def fails():
    text("This tool intentionally returns an error for testing")
    sys.exit(1)


def progress():
    for done in 0, 50, 100:
        print(json.dumps({"progress": done, "total": 100, "message": f"Completed step {done} of 100"}), flush=True)
    text("done")


def change():
    """Has the test change the list of tools, and waits until it has."""
    urllib.request.urlopen(os.environ["FIXTURE_URL"], b"").close()
    text("the list of tools is another")


def whole(key, **request):
    """One round: what the client answers, as text."""
    if key in answers:
        text(json.dumps(answers[key]))
    else:
        ask(**{key: request})


def greet():
    content = entered("user_name")
    if content and content.get("name"):
        text(f"Hello, {content['name']}!")
    else:
        ask(user_name=form("What is your name?", "name", **NAME))


def confirm():
    if entered("confirm") is None:
        ask("confirming", confirm=form("Please confirm", "ok", **OK))
    elif state == "confirming":
        text("state-ok")
    else:
        fails()


def several():
    if {"user_name", "greeting", "client_roots"} <= set(answers) and state == "asked":
        text(f"{answers['greeting']['content']['text']} {entered('user_name')['name']}: {len(answers['client_roots']['roots'])}")
    else:
        ask("asked", user_name=form("What is your name?", "name", **NAME), greeting=sample("Generate a greeting", 50), client_roots=ROOTS)


def rounds():
    if state == "":
        ask("1", step1=form("Step 1: What is your name?", "name", **NAME))
    elif state == "1":
        ask("2 " + entered("step1")["name"], step2=form("Step 2: What is your favorite color?", "color", color={"type": "string"}))
    else:
        text(f"{state[2:]} likes {entered('step2')['color']}")


def able():
    """Asks for no more than the client can."""
    requests = {"user_name": ("elicitation", form("What is your name?", "name", **NAME)), "greeting": ("sampling", sample("Greet"))}
    if answers:
        text("thanks")
    else:
        ask(**{key: request for key, (what, request) in requests.items() if what in can})


OPTIONS, VALUES = ["option1", "option2", "option3"], [{"const": f"value{i}", "title": f"{n} Option"} for i, n in enumerate(["First", "Second", "Third"], 1)]
ENUMS = {
    "untitledSingle": {"type": "string", "enum": OPTIONS},
    "titledSingle": {"type": "string", "oneOf": VALUES},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "enum": OPTIONS}},
    "titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": VALUES}},
}
DEFAULTS = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
TWO = {"username": {"type": "string"}, "email": {"type": "string"}}

PARTS = {
    "test_simple_text": lambda: text("This is a simple text response for testing."),
    "test_image_content": image,
    "test_audio_content": lambda: say("audio", data=SILENCE, mimeType="audio/wav"),
    "test_embedded_resource": lambda: resource("test://embedded-resource"),
    "test_multiple_content_types": mixed,
    "test_error_handling": fails,
    "test_tool_with_progress": progress,
    "test_trigger_tool_change": change,
    "test_elicitation": lambda: whole("person", **form(given["message"], *TWO, **TWO)),
    "test_elicitation_sep1034_defaults": lambda: whole("person", **form("Defaults", **DEFAULTS)),
    "test_elicitation_sep1330_enums": lambda: whole("person", **form("Choices", **ENUMS)),
    "test_sampling": lambda: whole("model", **sample(given["prompt"])),
    "test_missing_capability": lambda: whole("model", **sample("Anything?")),
    "test_input_required_result_elicitation": greet,
    "test_input_required_result_sampling": lambda: whole("capital_question", **sample("What is the capital of France?")),
    "test_input_required_result_list_roots": lambda: whole("client_roots", **ROOTS),
    "test_input_required_result_request_state": confirm,
    "test_input_required_result_tampered_state": confirm,
    "test_input_required_result_multiple_inputs": several,
    "test_input_required_result_multi_round": rounds,
    "test_input_required_result_capabilities": able,
}
PARTS[sys.argv[1]]()
