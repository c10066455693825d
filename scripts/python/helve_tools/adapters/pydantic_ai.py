"""Tools for Pydantic AI: ``Agent(model, tools=tools(helve))``."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from pydantic_ai import Tool, ToolFailed

from . import Definition, Source, definitions
from . import run as in_order


def tools(source: Source, only: Optional[Sequence[str]] = None) -> List[Tool[Any]]:
    """Return Tools. A call that failed is a failed result, not a retry of the same call."""
    return [_tool(source, d) for d in definitions(source, only)]


def _tool(source: Source, definition: Definition) -> Tool[Any]:
    async def run(**arguments: Any) -> str:
        outcome = await in_order(source, definition.name, arguments)
        if not outcome.ok:
            # Pydantic AI says itself that it is an error, in a field or as the provider does.
            text = outcome.text
            raise ToolFailed(text[len("error: ") :] if text.startswith("error: ") else text)
        return outcome.text

    return Tool.from_schema(run, definition.name, definition.description, definition.schema)
