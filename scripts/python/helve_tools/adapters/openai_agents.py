"""Tools for the OpenAI Agents SDK: ``Agent(tools=tools(helve))``."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from agents import FunctionTool, Tool

from . import Definition, Source, definitions
from . import run as in_order


def tools(source: Source, only: Optional[Sequence[str]] = None, *, strict: bool = True) -> List[Tool]:
    """Return FunctionTools, by default with schemas for structured outputs."""
    return [_tool(source, d, strict) for d in definitions(source, only, strict)]


def _tool(source: Source, definition: Definition, strict: bool) -> FunctionTool:
    async def invoke(_: Any, arguments: str) -> str:
        return (await in_order(source, definition.name, arguments)).text

    return FunctionTool(
        name=definition.name,
        description=definition.description,
        params_json_schema=definition.schema,
        on_invoke_tool=invoke,
        strict_json_schema=strict,
    )
