"""What is said between this package and the process of helve: command lines, lines of
JSON, and what the answers mean. It starts no process."""

from __future__ import annotations

import json
import keyword
import os
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Dict, FrozenSet, List, Mapping, NamedTuple, Optional, Sequence, Union

from .errors import HelveError, SessionLost, Unavailable, from_envelope

__all__ = ["Options", "Outcome", "Result", "Shared"]


class Result(Dict[str, Any]):
    """The data of a call, with the warnings that came with it."""

    warnings: List[str]

    def __init__(self, data: Mapping[str, Any], warnings: Sequence[str] = ()) -> None:
        super().__init__(data)
        self.warnings = list(warnings)


@dataclass(frozen=True)
class Options:
    """How helve is to run."""

    binary: str
    root: Optional[str]
    session: Optional[str]
    readonly: bool
    config: Optional[str]
    lang: Optional[str]
    profile: Optional[str]
    env: Optional[Mapping[str, str]]

    def command(self, words: Sequence[str]) -> List[str]:
        """Return the command line. Nobody is asked on the terminal of the program."""
        command = [self.binary, *words, "--no-input"]
        for flag, value in (
            ("--root", self.root),
            ("--session", self.session),
            ("--config", self.config),
            ("--lang", self.lang),
            ("--as", self.profile),
        ):
            if value is not None:
                command += [flag, os.fspath(value)]
        if self.readonly:
            command.append("--readonly")
        return command

    def environment(self) -> Optional[Dict[str, str]]:
        """Return the environment; None for that of this process."""
        return {**os.environ, **self.env} if self.env else None


def schema(provider: str, strict: bool, tools: Optional[Sequence[str]], toolset: Optional[str]) -> List[str]:
    """Return the words of ``helve schema``."""
    words = ["schema", "-o", "json", "--format", provider]
    if strict:
        words.append("--strict")
    if tools is not None:
        words += ["--tools", ",".join(tools)]
    if toolset is not None:
        words += ["--toolset", toolset]
    return words


class Outcome(NamedTuple):
    """What became of a call that a model made."""

    ok: bool
    text: str  # the result or the error, as a model reads it


class Shared(NamedTuple):
    """The answers to some calls of a message; the program answers the others."""

    messages: List[Any]
    # {"index", "call"} for each call that is not helve's, as it came. Its answer goes
    # among the others at this index, in this order.
    others: List[Dict[str, Any]]


def calling(rendering: str, dialect: str = "auto", images: Optional[bool] = None) -> List[str]:
    """Return the words of ``helve call``."""
    words = ["call", "-o", "json", "--content", rendering, "--dialect", dialect]
    if images is not None:
        words.append("--images" if images else "--images=false")
    return words


def merge(arguments: Optional[Mapping[str, Any]], named: Mapping[str, Any]) -> Dict[str, Any]:
    """Return the arguments of a call; ``from_`` stands for ``from``."""
    merged = dict(arguments or {})
    for name, value in named.items():
        bare = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if bare in merged:
            raise TypeError(f"{bare} is given twice")
        merged[bare] = value
    return merged


# The words of ``helve call`` for one call, which is in helve's own dialect: for a model,
# which reads the text, and for a program, which takes the data and the warnings.
FOR_MODEL = calling("text", "canonical", images=False)
FOR_PROGRAM = calling("json", "canonical", images=False)


def one_call(tool: str, arguments: Union[str, Mapping[str, Any], None]) -> str:
    """Return a call in helve's own dialect. Arguments may be JSON as a model wrote it."""
    return _line({"id": "1", "name": tool, "arguments": {} if arguments is None else arguments})


def document(message: Any) -> str:
    """Return what a provider returned as one line of JSON."""
    if isinstance(message, (bytes, bytearray)):
        message = message.decode()
    if isinstance(message, str):
        return _line(json.loads(message))
    return _line(plain(message))


def plain(value: Any) -> Any:
    """Return an object of a provider's client as what its API said.

    :raises TypeError: for an object that cannot be turned into JSON.
    """
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, Mapping):
        return {str(name): plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in value]
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise TypeError(f"{type(value).__name__} is no message: pass a mapping, JSON, or an object with model_dump()")


def parse(out: bytes, status: int) -> Any:
    """Return the one document that helve printed."""
    try:
        return json.loads(out)
    except ValueError:
        raise HelveError(
            f"helve ended with {status} and no answer", details={"status": status, "output": out.decode("utf-8", "replace")}
        ) from None


def answer_line(line: bytes) -> Any:
    """Return the document of a line of ``helve call --ndjson``.

    :raises SessionLost: if helve ended before it was complete.
    """
    if not line.endswith(b"\n"):
        raise SessionLost(
            "helve ended while it ran the call; what the call did is unknown",
            code="unavailable",
            hint="look at what is there before making the call again",
        )
    return json.loads(line)


def late(timeout: Optional[float]) -> HelveError:
    """Return the error of a call that was ended because it took too long."""
    return Unavailable(
        f"helve took longer than {timeout:g} s",
        code="timeout",
        hint="look at what is there before making the call again",
        retryable=True,
    )


def definitions(answer: Any) -> List[Dict[str, Any]]:
    """Return the definitions that ``helve schema`` printed."""
    return _list(answer)


def reading(answer: Any) -> FrozenSet[str]:
    """Return the names of those of the definitions for MCP that only read."""
    return frozenset(d["name"] for d in _list(answer) if d["annotations"]["readOnlyHint"])


def messages(answer: Any) -> List[Any]:
    """Return the messages that ``helve call`` printed."""
    if isinstance(answer, dict) and "ok" not in answer:
        return [answer]  # a protocol's answer to one request
    return _list(answer)


def shared(answer: Any) -> Shared:
    """Return what ``helve call --pass-through`` printed."""
    if not isinstance(answer, dict) or "pass_through" not in answer:
        _list(answer)  # it reports the error
    return Shared(answer["messages"], answer["pass_through"])


def outcome(answer: Any) -> Outcome:
    """Return what became of one call."""
    if not isinstance(answer, dict) or "content" not in answer:
        _list(answer)  # it reports the error
    return Outcome(bool(answer["ok"]), str(answer["content"]))


def result(answer: Any) -> Result:
    """Return the data of one call.

    :raises HelveError: if it failed.
    """
    if isinstance(answer, dict) and "content" in answer:
        answer = json.loads(answer["content"])
    if not isinstance(answer, dict) or not answer.get("ok"):
        raise from_envelope(answer)
    data = answer.get("data")  # of a custom tool it may be anything
    return Result(data if isinstance(data, dict) else {"value": data}, answer.get("warnings", ()))


def _list(answer: Any) -> List[Any]:
    if isinstance(answer, list):
        return answer
    if isinstance(answer, dict) and answer.get("ok") is False:
        raise from_envelope(answer)
    raise HelveError("helve printed what this package does not know", details={"answer": answer})


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
