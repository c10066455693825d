"""helve's tools as the objects of agent frameworks. There is a module for each; it imports
its framework, which this package does not bring.

    from helve_tools import Helve
    from helve_tools.adapters.langchain import tools

    agent = create_agent(model, tools(Helve(root="project"), ["read", "edit", "exec"]))

``tools`` takes a :class:`~helve_tools.Helve` or an open :class:`~helve_tools.Session`, and
the names of the tools; by default all. A call that fails is no exception for the program: the
model reads the error.
"""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, List, Optional, Sequence, Union

from ..client import Helve, Session

Source = Union[Helve, Session]


class Definition(NamedTuple):
    """A tool as a framework wants to know it."""

    name: str
    description: str
    schema: Dict[str, Any]  # JSON Schema of an object


def definitions(source: Source, only: Optional[Sequence[str]], strict: bool = False) -> List[Definition]:
    """Return the definitions of the tools, with ``strict`` in the form of structured outputs."""
    functions = (d["function"] for d in source.definitions("openai", strict=strict, tools=only))
    return [Definition(f["name"], f["description"], f["parameters"]) for f in functions]
