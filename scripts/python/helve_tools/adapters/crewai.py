"""Tools for CrewAI: ``Agent(tools=tools(helve))``."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from crewai.tools import BaseTool
from crewai.utilities.pydantic_schema_utils import create_model_from_schema
from pydantic import PrivateAttr

from . import Definition, Source, definitions


def tools(source: Source, only: Optional[Sequence[str]] = None) -> List[BaseTool]:
    """Return tools."""
    return [HelveTool(source, d) for d in definitions(source, only)]


class HelveTool(BaseTool):
    """A tool of helve."""

    _source: Source = PrivateAttr()

    def __init__(self, source: Source, definition: Definition) -> None:
        model = create_model_from_schema(definition.schema, model_name=definition.name.title() + "Arguments")
        super().__init__(name=definition.name, description=definition.description, args_schema=model)
        self._source = source

    def _run(self, **arguments: Any) -> str:
        # Arguments that the model left out are there as None.
        return self._source.run(self.name, {n: v for n, v in arguments.items() if v is not None}).text
