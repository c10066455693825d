"""Tools for LangChain and LangGraph: ``create_agent(model, tools(helve))``."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from ..protocol import Outcome
from . import Definition, Source, definitions
from . import run as in_order


def tools(source: Source, only: Optional[Sequence[str]] = None) -> List[BaseTool]:
    """Return StructuredTools. The message of a call that failed has the status "error"."""
    return [_tool(source, d) for d in definitions(source, only)]


def _tool(source: Source, definition: Definition) -> StructuredTool:
    def text(outcome: Outcome) -> str:
        if not outcome.ok:
            raise ToolException(outcome.text)
        return outcome.text

    def run(**arguments: Any) -> str:
        return text(source.run(definition.name, arguments))

    async def arun(**arguments: Any) -> str:
        return text(await in_order(source, definition.name, arguments))

    return StructuredTool(
        name=definition.name,
        description=definition.description,
        args_schema=definition.schema,
        func=run,
        coroutine=arun,
        handle_tool_error=True,
    )
