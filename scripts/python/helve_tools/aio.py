"""helve from an asyncio program. Canceling a call ends its process."""

from __future__ import annotations

import asyncio
import inspect
import json
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import protocol
from .approvals import FAILED, Channel, Decision, reply
from .binary import find
from .client import GRACE, reading
from .protocol import Outcome, Result, Shared
from .queue import Queue

__all__ = ["AsyncHelve", "AsyncSession", "OnApprovalAsync"]

OnApprovalAsync = Callable[[Dict[str, Any]], Union[Decision, Awaitable[Decision]]]


class _Calls:
    """What :class:`AsyncHelve` and :class:`AsyncSession` have in common."""

    queue: Queue  # keeps the order of single calls

    async def _ask(self, document: str, words: List[str]) -> Any:
        """Have ``helve call``, with these words, answer one line."""
        raise NotImplementedError

    async def _in_order(self, tool: str, arguments: Union[str, Mapping[str, Any], None], words: List[str]) -> Any:
        place = self.queue.arrive(tool, arguments)
        try:
            if not self.queue.first(place):
                await asyncio.to_thread(place.enter)
            return await self._ask(protocol.one_call(tool, arguments), words)
        finally:
            place.leave()

    async def call(self, tool: str, arguments: Optional[Mapping[str, Any]] = None, /, **named: Any) -> Result:
        """Call one tool and return its data; see :meth:`helve_tools.Helve.call`."""
        return protocol.result(await self._in_order(tool, protocol.merge(arguments, named), protocol.FOR_PROGRAM))

    async def run(self, tool: str, arguments: Union[str, Mapping[str, Any], None] = None) -> Outcome:
        """Call one tool for a model; see :meth:`helve_tools.Helve.run`."""
        return protocol.outcome(await self._in_order(tool, arguments, protocol.FOR_MODEL))

    async def answer(self, message: Any, *, dialect: str = "auto", images: Optional[bool] = None) -> List[Any]:
        """Run the tool calls that a provider returned, and return the messages to append;
        see :meth:`helve_tools.Helve.answer`."""
        words = protocol.calling("text", dialect, images)
        return protocol.messages(await self._ask(protocol.document(message), words))

    async def share(self, message: Any, *, dialect: str = "auto", images: Optional[bool] = None) -> Shared:
        """Answer helve's calls in what a provider returned, and list those of other tools, so
        that both kinds can be offered in one request."""
        words = [*protocol.calling("text", dialect, images), "--pass-through"]
        return protocol.shared(await self._ask(protocol.document(message), words))


class AsyncHelve(_Calls):
    """helve in a workspace. The arguments are those of :class:`helve_tools.Helve`;
    ``on_approval`` may be a coroutine function, and is called in the event loop."""

    def __init__(
        self,
        root: Optional[str] = None,
        *,
        session: Optional[str] = None,
        readonly: bool = False,
        on_approval: Optional[OnApprovalAsync] = None,
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

    async def definitions(
        self,
        provider: str = "openai",
        *,
        strict: bool = False,
        tools: Optional[Sequence[str]] = None,
        toolset: Optional[str] = None,
    ) -> List[Dict[str, Any]]:
        """Return the definitions for a request; see :meth:`helve_tools.Helve.definitions`."""
        return protocol.definitions(await self._run(protocol.schema(provider, strict, tools, toolset), "", None))

    def session(self) -> "AsyncSession":
        """Return a session: one process that answers many calls, until it is closed."""
        return AsyncSession(self._options, self._on_approval, self._timeout, self.queue)

    async def _ask(self, document: str, words: List[str]) -> Any:
        return await self._run(words, document, self._on_approval)

    async def _run(self, words: List[str], document: str, on_approval: Optional[OnApprovalAsync]) -> Any:
        conversation = await _Conversation.start(self._options, words, on_approval)
        try:
            out, _ = await _within(self._timeout, conversation.process.communicate(document.encode()))
        finally:
            await conversation.end()
        if conversation.failure is not None:
            raise conversation.failure
        return protocol.parse(out, conversation.process.returncode or 0)


class AsyncSession(_Calls):
    """One process of helve that answers call after call; see :class:`helve_tools.Session`."""

    def __init__(
        self,
        options: protocol.Options,
        on_approval: Optional[OnApprovalAsync],
        timeout: Optional[float],
        queue: Queue,
    ) -> None:
        self._options, self._on_approval, self._timeout, self.queue = options, on_approval, timeout, queue
        self._lock: Optional[asyncio.Lock] = None
        self._processes: Dict[Tuple[str, ...], _Conversation] = {}  # by their words
        self._closed = False

    async def __aenter__(self) -> "AsyncSession":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _exclusive(self) -> asyncio.Lock:
        # Python 3.9 ties a lock to the loop that runs when it is made.
        if self._lock is None:
            self._lock = asyncio.Lock()
        return self._lock

    async def close(self) -> None:
        """End the session. A call that runs in another task is waited for."""
        async with self._exclusive():
            self._closed = True
            while self._processes:
                await self._processes.popitem()[1].close()

    async def _ask(self, document: str, words: List[str]) -> Any:
        key = tuple(words)
        async with self._exclusive():
            if self._closed:
                raise ValueError("the session is closed")
            conversation = self._processes.pop(key, None)
            if conversation is None or conversation.process.returncode is not None:
                if conversation is not None:
                    await conversation.end()
                conversation = await _Conversation.start(self._options, [*words, "--ndjson"], self._on_approval)
            try:
                answer = await _within(self._timeout, conversation.ask(document))
            except BaseException:  # its next line would be the answer to this call
                await conversation.end()
                raise
            self._processes[key] = conversation
            if conversation.failure is not None:
                failure, conversation.failure = conversation.failure, None
                raise failure
            return answer


class _Conversation:
    """A process, and the task that answers its requests for approval."""

    def __init__(self, process: Process, channel: Channel, on_approval: Optional[OnApprovalAsync]) -> None:
        self.process = process
        self.failure: Optional[BaseException] = None
        self._channel, self._on_approval = channel, on_approval
        self._task = asyncio.ensure_future(self._serve()) if on_approval is not None else None

    @classmethod
    async def start(
        cls, options: protocol.Options, words: List[str], on_approval: Optional[OnApprovalAsync]
    ) -> "_Conversation":
        channel = Channel(on_approval is not None)
        command = options.command([*words, *channel.flags])
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                env=options.environment(),
                pass_fds=channel.inherited,
                limit=1 << 30,  # of a line
            )
        except BaseException:
            channel.close()
            raise
        channel.handed_over()
        return cls(process, channel, on_approval)

    async def ask(self, document: str) -> Any:
        """Send a line and return the answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(document.encode() + b"\n")
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            pass  # there will be no answer
        return protocol.answer_line(await self.process.stdout.readline())

    async def close(self) -> None:
        """End the process when it has nothing more to do."""
        assert self.process.stdin is not None
        self.process.stdin.close()  # it ends with its input
        await self._wait()
        await self.end()

    async def end(self) -> None:
        """End the process: politely, so that helve leaves nothing half done, then surely."""
        if self.process.returncode is None:
            self.process.terminate()
            if not await self._wait():
                self.process.kill()
                await self.process.wait()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._channel.close()

    async def _wait(self) -> bool:
        try:
            await asyncio.wait_for(self.process.wait(), GRACE)
        except asyncio.TimeoutError:
            return False
        return True

    async def _serve(self) -> None:
        assert self._channel.ours is not None and self._on_approval is not None
        reader, writer = await asyncio.open_connection(sock=self._channel.ours, limit=1 << 30)
        try:
            while True:
                line = await reader.readline()
                if not line.endswith(b"\n"):
                    return  # helve has ended
                request = json.loads(line)
                writer.write(reply(request, await self._decide(self._on_approval, request)))
                await writer.drain()
        except ConnectionError:
            return  # helve has ended: its call is over, however it was decided
        finally:
            writer.close()

    # The exception keeps the frames that it went through, so this is no part of _serve.
    async def _decide(self, on_approval: OnApprovalAsync, request: Dict[str, Any]) -> Decision:
        try:
            said = on_approval(request)
            return await said if inspect.isawaitable(said) else said
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # it belongs to the task that made the call
            self.failure = error
            return FAILED


async def _within(timeout: Optional[float], work: Awaitable[Any]) -> Any:
    try:
        return await asyncio.wait_for(work, timeout)
    except asyncio.TimeoutError:
        raise protocol.late(timeout) from None
