"""helve from a Python program: one process for each call, or one for a session."""

from __future__ import annotations

import subprocess
import threading
from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Sequence, Tuple, Union

from . import protocol
from .approvals import Approvals, OnApproval
from .binary import find
from .protocol import Outcome, Result, Shared
from .queue import Place, Queue

__all__ = ["Helve", "Session"]


class _Calls:
    """What :class:`Helve` and :class:`Session` have in common: calls and answers."""

    queue: Queue  # keeps the order of single calls

    def _ask(self, document: str, words: List[str]) -> Any:
        """Have ``helve call``, with these words, answer one line."""
        raise NotImplementedError

    def call(self, tool: str, arguments: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Result:
        """Call one tool and return its data.

        Arguments are a mapping, keywords, or both. A name that is a keyword of Python takes
        an underscore: ``call("move", from_="a", to="b")``.

        :raises HelveError: if the call failed.
        """
        merged = protocol.merge(arguments, named)
        with self.queue.arrive(tool, merged):
            return protocol.result(self._ask(protocol.one_call(tool, merged), protocol.FOR_PROGRAM))

    def run(self, tool: str, arguments: Union[str, Mapping[str, Any], None] = None) -> Outcome:
        """Call one tool for a model: return the result or the error as a model reads it.

        Arguments may be the JSON that the model wrote, with its slips.
        """
        return self.run_at(self.queue.arrive(tool, arguments), tool, arguments)

    def run_at(self, place: Place, tool: str, arguments: Union[str, Mapping[str, Any], None]) -> Outcome:
        """Make a call of a model that has its place already; see :meth:`run`."""
        with place:
            return protocol.outcome(self._ask(protocol.one_call(tool, arguments), protocol.FOR_MODEL))

    def answer(self, message: Any, *, dialect: str = "auto", images: Optional[bool] = None) -> List[Any]:
        """Run the tool calls that a provider returned, and return the messages to append.

        ``message`` is what the provider returned, as JSON or as an object of its client: a
        call, a list of calls, a message or a whole response. There is one answer for each
        call, in order, also for those that failed; without calls there is none.
        Images that the model reads are in the answers where the provider takes them there.
        ``images=True`` also shows them in a message of the user behind the answers, for
        Chat Completions; ``images=False`` leaves them out.
        """
        return protocol.messages(self._ask(protocol.document(message), protocol.calling("text", dialect, images)))

    def share(self, message: Any, *, dialect: str = "auto", images: Optional[bool] = None) -> Shared:
        """Answer helve's calls in what a provider returned, and list those of other tools, so
        that both kinds can be offered in one request."""
        words = [*protocol.calling("text", dialect, images), "--pass-through"]
        return protocol.shared(self._ask(protocol.document(message), words))


class Helve(_Calls):
    """helve in a workspace.

    :param root: the workspace; by default the working directory.
    :param session: groups calls; helve records what a session has read.
    :param readonly: refuse every tool that does more than read.
    :param on_approval: is asked about calls that a person must allow; see
        :mod:`helve_tools.approvals`. Without it such calls fail with ApprovalRequired.
        It is called in a thread of its own.
    :param timeout: seconds that one call may take, approvals included; by default without end.
    :param binary: the program helve; by default the one that this package brings.
    :param config: a configuration file that takes precedence over the others.
    :param lang: language of the messages, ``en`` or ``zh``.
    :param as_: a profile: the names, words and results of another system, such as ``claude-code``.
    :param env: variables to add to the environment of helve.
    """

    def __init__(
        self,
        root: Optional[str] = None,
        *,
        session: Optional[str] = None,
        readonly: bool = False,
        on_approval: Optional[OnApproval] = None,
        timeout: Optional[float] = None,
        binary: Optional[str] = None,
        config: Optional[str] = None,
        lang: Optional[str] = None,
        as_: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._options = protocol.Options(find(binary), root, session, readonly, config, lang, as_, env)
        self._on_approval = on_approval
        self._timeout = timeout
        self.queue = Queue(root, lambda: reading(self._options))

    def definitions(
        self,
        provider: str = "openai",
        *,
        strict: bool = False,
        tools: Optional[Sequence[str]] = None,
        toolset: Optional[str] = None,
    ) -> List[Dict[str, Any]]:
        """Return the definitions for a request's ``tools``.

        :param provider: openai, openai-responses, anthropic, gemini, mcp or json-schema.
        :param strict: in the form of structured outputs, where the provider has one.
        :param tools: only these.
        :param toolset: a set of tools, such as ``coding``, ``reading`` or ``web``.
        """
        return protocol.definitions(self._run(protocol.schema(provider, strict, tools, toolset), "", Approvals(None)))

    def session(self) -> "Session":
        """Return a session: one process that answers many calls, until it is closed."""
        return Session(self)

    def _ask(self, document: str, words: List[str]) -> Any:
        return self._run(words, document, Approvals(self._on_approval))

    def _run(self, words: List[str], document: str, approvals: Approvals) -> Any:
        process = start(self._options, words, approvals)
        try:
            out, _ = process.communicate(document.encode(), self._timeout)
        except subprocess.TimeoutExpired:
            raise protocol.late(self._timeout) from None
        finally:
            end(process)
            approvals.close()
        failure = approvals.failure()
        if failure is not None:
            raise failure
        return protocol.parse(out, process.returncode)


class Session(_Calls):
    """One process of helve that answers call after call, which saves a start for each.

    Threads may share it; their calls run one after another. If helve ends during a call,
    SessionLost says so, as nobody knows what the call did; it is not made again. The next
    call starts another process.
    """

    def __init__(self, helve: Helve) -> None:
        self._helve = helve
        self.queue = helve.queue
        self._lock = threading.Lock()
        self._processes: Dict[Tuple[str, ...], _Conversation] = {}  # by their words
        self._closed = False

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def definitions(
        self,
        provider: str = "openai",
        *,
        strict: bool = False,
        tools: Optional[Sequence[str]] = None,
        toolset: Optional[str] = None,
    ) -> List[Dict[str, Any]]:
        """Return the definitions for a request; see :meth:`Helve.definitions`."""
        return self._helve.definitions(provider, strict=strict, tools=tools, toolset=toolset)

    def close(self) -> None:
        """End the session. A call that runs in another thread is waited for."""
        with self._lock:
            self._closed = True
            while self._processes:
                self._processes.popitem()[1].close()

    def _ask(self, document: str, words: List[str]) -> Any:
        key = tuple(words)
        with self._lock:
            if self._closed:
                raise ValueError("the session is closed")
            process = self._processes.pop(key, None)
            if process is None or process.ended():
                if process is not None:
                    process.close()
                process = _Conversation(self._helve._options, words, self._helve._on_approval)
            try:
                answer = process.ask(document, self._helve._timeout)
            except BaseException:  # its next line would be the answer to this call
                process.close(at_once=True)
                raise
            self._processes[key] = process
            failure = process.approvals.failure()
            if failure is not None:
                raise failure
            return answer


class _Conversation:
    """A process that answers each line with a line."""

    def __init__(self, options: protocol.Options, words: List[str], on_approval: Optional[OnApproval]) -> None:
        self.approvals = Approvals(on_approval)
        self._process = start(options, [*words, "--ndjson"], self.approvals)

    def ended(self) -> bool:
        return self._process.poll() is not None

    def ask(self, document: str, timeout: Optional[float]) -> Any:
        """Send a line and return the answer."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        late = threading.Event()

        def expire() -> None:
            late.set()
            stop(process)

        timer = threading.Timer(timeout, expire) if timeout is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            try:
                process.stdin.write(document.encode() + b"\n")
                process.stdin.flush()
            except BrokenPipeError:
                pass  # it may have said why
            line = process.stdout.readline()
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()  # if it has begun, late is set now
        if late.is_set():
            raise protocol.late(timeout)
        return protocol.answer_line(line)

    def close(self, at_once: bool = False) -> None:
        """End the process, when it has nothing more to do unless it is to end at once."""
        assert self._process.stdin is not None
        if not at_once:
            try:
                self._process.stdin.close()  # it ends with its input
                self._process.wait(GRACE)
            except (BrokenPipeError, subprocess.TimeoutExpired):
                pass
        end(self._process)
        self.approvals.close()


def reading(options: protocol.Options) -> FrozenSet[str]:
    """Return the names of the tools that only read."""
    process = start(options, protocol.schema("mcp", False, None, None), Approvals(None))
    try:
        out, _ = process.communicate(b"", 60)
    finally:
        end(process)
    return protocol.reading(protocol.parse(out, process.returncode))


GRACE = 5  # seconds that a process has to end when it is told to


def start(options: protocol.Options, words: List[str], approvals: Approvals) -> "subprocess.Popen[bytes]":
    """Start helve, with its end of the socket for approvals."""
    try:
        process = subprocess.Popen(
            options.command([*words, *approvals.channel.flags]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=options.environment(),
            pass_fds=approvals.channel.inherited,
        )
    except BaseException:
        approvals.channel.close()
        raise
    approvals.start()
    return process


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Make a process end: politely, so that helve leaves nothing half done, then surely."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def end(process: "subprocess.Popen[bytes]") -> None:
    """Stop a process, if it still runs, and close its pipes."""
    stop(process)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except BrokenPipeError:  # of what was not sent
                pass
