"""Tools for Strands Agents: ``Agent(tools=tools(helve))``."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from strands.tools.tools import PythonAgentTool
from strands.types.tools import ToolResult, ToolUse

from . import Definition, Source, definitions


def tools(source: Source, only: Optional[Sequence[str]] = None) -> List[PythonAgentTool]:
    """Return tools whose results have the status "success" or "error"."""
    return [_tool(source, d) for d in definitions(source, only)]


def _tool(source: Source, definition: Definition) -> PythonAgentTool:
    def run(use: ToolUse, **_: Any) -> ToolResult:  # in a thread, as it is no coroutine
        outcome = source.run(definition.name, use["input"])
        return {
            "toolUseId": use["toolUseId"],
            "status": "success" if outcome.ok else "error",
            "content": [{"text": outcome.text}],
        }

    return PythonAgentTool(
        definition.name,
        {"name": definition.name, "description": definition.description, "inputSchema": {"json": definition.schema}},
        run,
    )
