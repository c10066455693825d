"""What providers' own code for Python says of tool definitions. Standard input has them by
format, in the formats' own arrays. Standard output has the faults, each in words, and what
the clients make of the strict schemas."""

import json
import sys
import typing

from anthropic.lib._parse._transform import transform_schema
from anthropic.types import ToolParam
from google.genai import types
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from openai.types.shared_params import FunctionDefinition
from pydantic import TypeAdapter, ValidationError

given = json.load(sys.stdin)
faults = []


def typed(where, kind, value):
    """Checks a value of a TypedDict: its types, and that it has no other members."""
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as e:
        faults.append(f"{where}: {e}")
    unknown = set(value) - set(typing.get_type_hints(kind))
    if unknown:
        faults.append(f"{where}: unknown members {sorted(unknown)}")


for form in "openai", "openai-strict":
    for tool in given[form]:
        typed(form, ChatCompletionFunctionToolParam, tool)
        typed(form, FunctionDefinition, tool["function"])
for form in "openai-responses", "openai-responses-strict":
    for tool in given[form]:
        typed(form, FunctionToolParam, tool)
for form in "anthropic", "anthropic-strict":
    for tool in given[form]:
        typed(form, ToolParam, tool)

# These models refuse members that they do not know.
for tool in given["gemini"]:
    try:
        model = types.Tool.model_validate(tool)
        again = model.model_dump(mode="json", by_alias=True, exclude_none=True)
        if again != tool:
            faults.append(f"gemini: {json.dumps(again)}")
    except ValidationError as e:
        faults.append(f"gemini: {e}")


def openai(schema):
    return _ensure_strict_json_schema(schema, path=(), root=schema)


json.dump(
    {
        "faults": faults,
        "openai-strict": [openai(t["function"]["parameters"]) for t in given["openai-strict"]],
        "openai-responses-strict": [openai(t["parameters"]) for t in given["openai-responses-strict"]],
        "anthropic-strict-alone": [transform_schema(t["input_schema"]) for t in given["anthropic-strict-alone"]],
        "anthropic-strict": [transform_schema(t["input_schema"]) for t in given["anthropic-strict"] if t["strict"]],
    },
    sys.stdout,
)
