"""Approvals as a function of the program.

helve asks about a call that the policy leaves to a person, over a socket that only the two
processes have. A function answers: ``True`` allows the call once, ``False`` refuses it, a
text refuses it and is what the model reads as the person's reason.

    def on_approval(request):
        print(request["preview"])
        return input("allow? ") == "y" or "the person said no"

The request is a mapping: ``tool``, ``args``, ``risk``, ``reasons``, ``preview`` (a diff, or
the commands), ``session``. An exception refuses the call and is raised again by the call
that asked.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from .errors import HelveError

Decision = Union[bool, str, None]
OnApproval = Callable[[Dict[str, Any]], Decision]


class Channel:
    """The two ends of the socket. helve's is closed here once helve has it."""

    def __init__(self, wanted: bool) -> None:
        self.ours: Optional[socket.socket] = None
        self._theirs: Optional[socket.socket] = None
        if not wanted:
            return
        if sys.platform == "win32":
            raise HelveError(
                "on_approval needs a descriptor that a process inherits, which Windows has not",
                code="unsupported",
                hint='leave on_approval out; ApprovalRequired.approval["id"] is what helve approve takes',
            )
        self.ours, self._theirs = socket.socketpair()

    @property
    def flags(self) -> List[str]:
        """The words that tell helve about its end."""
        return ["--approval-fd", str(self._theirs.fileno())] if self._theirs else []

    @property
    def inherited(self) -> Tuple[int, ...]:
        """The descriptors that helve inherits."""
        return (self._theirs.fileno(),) if self._theirs else ()

    def handed_over(self) -> None:
        """Close helve's end: from now on only helve has it."""
        if self._theirs:
            self._theirs.close()
            self._theirs = None

    def close(self) -> None:
        self.handed_over()
        if self.ours:
            self.ours.close()


class Approvals:
    """A function that answers helve's requests in a thread of its own."""

    def __init__(self, function: Optional[OnApproval]) -> None:
        self.channel = Channel(function is not None)
        self._function = function
        self._thread: Optional[threading.Thread] = None
        self._failure: Optional[BaseException] = None

    def start(self) -> None:
        """Begin to answer. helve has been started."""
        self.channel.handed_over()
        if self._function is not None:
            self._thread = threading.Thread(target=self._serve, name="helve approvals", daemon=True)
            self._thread.start()

    def failure(self) -> Optional[BaseException]:
        """Return and forget what the function raised."""
        failure, self._failure = self._failure, None
        return failure

    def close(self) -> None:
        """Stop. A function that has not decided yet is left to its thread: helve has ended."""
        if self.channel.ours:
            try:
                self.channel.ours.shutdown(socket.SHUT_RDWR)
            except OSError:  # the other end is gone
                pass
        self.channel.close()

    def _serve(self) -> None:
        assert self.channel.ours is not None and self._function is not None
        try:
            with self.channel.ours.makefile("rwb") as lines:
                for line in lines:
                    if not line.endswith(b"\n"):
                        return  # helve ended while it asked
                    request = json.loads(line)
                    try:
                        decision = self._function(request)
                    except BaseException as error:  # it belongs to the thread that made the call
                        self._failure, decision = error, FAILED
                    lines.write(reply(request, decision))
                    lines.flush()
        except OSError:  # helve has ended: its call is over, however it was decided
            return


FAILED = "the program that was asked failed"


def reply(request: Dict[str, Any], decision: Decision) -> bytes:
    """Return the line that answers a request."""
    answer = {"id": request["id"], "decision": "approve" if decision is True else "deny"}
    if isinstance(decision, str):
        answer["reason"] = decision
    return json.dumps(answer).encode() + b"\n"
