"""Says what is wrong with the answers of helve call, by the types of the providers' own
clients for Python: {dialect: [reply, …]} on standard input, a list of faults out."""

import json
import sys
from typing import List

from anthropic.types import MessageParam
from google.genai.types import Content
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter, ValidationError


def solid(value):
    """The value with all that is checked only when it is read, and what no type names left out."""
    if isinstance(value, dict):
        return {name: solid(member) for name, member in value.items()}
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return value
    return [solid(item) for item in value]


def typed(kind):
    adapter = TypeAdapter(List[kind])

    def check(reply):
        if solid(adapter.validate_python(reply)) != reply:
            raise ValueError("a member that no type names")

    return check


def gemini(reply):
    for content in reply:
        Content.model_validate_json(json.dumps(content))  # which forbids unknown members


checks = {
    "openai": typed(ChatCompletionMessageParam),
    "openai-responses": typed(ResponseInputItemParam),
    "anthropic": typed(MessageParam),
    "gemini": gemini,
}
faults = []
for dialect, replies in json.load(sys.stdin).items():
    for reply in replies:
        try:
            checks[dialect](reply)
        except (ValidationError, ValueError) as fault:
            faults.append(f"{dialect}: {fault}: {json.dumps(reply)[:500]}")
json.dump(faults, sys.stdout)
