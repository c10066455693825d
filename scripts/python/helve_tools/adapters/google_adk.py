"""Tools for the Agent Development Kit: ``LlmAgent(tools=tools(helve))``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from google.adk.tools import BaseTool, ToolContext
from google.genai import types

from . import Definition, Source, definitions
from . import run as in_order


def tools(source: Source, only: Optional[Sequence[str]] = None) -> List[BaseTool]:
    """Return tools whose response has an output or an error."""
    return [HelveTool(source, d) for d in definitions(source, only)]


class HelveTool(BaseTool):
    """A tool of helve."""

    def __init__(self, source: Source, definition: Definition) -> None:
        super().__init__(name=definition.name, description=definition.description)
        self._source, self._schema = source, definition.schema

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._schema
        )

    async def run_async(self, *, args: Dict[str, Any], tool_context: ToolContext) -> Dict[str, str]:
        outcome = await in_order(self._source, self.name, args)
        return {"output" if outcome.ok else "error": outcome.text}
