"""helve's tools as the objects of agent frameworks. There is a module for each; it imports
its framework, which this package does not bring.

    from helve_tools import Helve
    from helve_tools.adapters.langchain import tools

    agent = create_agent(model, tools(Helve(root="project"), ["read", "edit", "exec"]))

``tools`` takes a :class:`~helve_tools.Helve` or an open :class:`~helve_tools.Session`, and
the names of the tools; by default all. A call that fails is no exception for the program: the
model reads the error.

The calls of a turn keep their order, also where a framework makes them at once. Where it makes
them in threads of its own, as LangChain without ``await``, CrewAI, strands and smolagents do, it is
the order in which the threads arrive.
"""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from ..client import Helve, Session
from ..protocol import Outcome

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


async def run(source: Source, name: str, arguments: Union[str, Mapping[str, Any]]) -> Outcome:
    """Make a call of a model in a thread. Its place among the others is that of its task: a
    framework starts the tasks of a turn in their order, and threads begin in any order."""
    place = source.queue.arrive(name, arguments)
    try:
        return await asyncio.to_thread(source.run_at, place, name, arguments)
    except asyncio.CancelledError:
        place.cancel()
        raise
