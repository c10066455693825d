"""Tools for smolagents: ``ToolCallingAgent(tools=tools(helve), model=model)``."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from smolagents import Tool  # type: ignore[import-untyped]

from . import Definition, Source, definitions


def tools(source: Source, only: Optional[Sequence[str]] = None) -> List[Tool]:
    """Return Tools."""
    return [HelveTool(source, d) for d in definitions(source, only)]


class HelveTool(Tool):  # type: ignore[misc]
    """A tool of helve."""

    output_type = "string"
    skip_forward_signature_validation = True  # its parameters are those of the schema

    def __init__(self, source: Source, definition: Definition) -> None:
        self.name, self.description = definition.name, definition.description
        self.inputs = {name: dict(p) for name, p in definition.schema["properties"].items()}
        for name, p in self.inputs.items():
            p.setdefault("type", "any")
            p.setdefault("description", name)
            if name not in definition.schema["required"]:
                p["nullable"] = True
        self._source = source
        super().__init__()

    def forward(self, **arguments: Any) -> str:
        return self._source.run(self.name, arguments).text
