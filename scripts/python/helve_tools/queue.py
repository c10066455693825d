"""The order of calls. Frameworks make all calls of a turn at once, and mean them one after the
other: those that only read go together; one that may change something waits for all before
it, and those behind it wait for it. What runs for longer than two seconds holds back only
calls on its own paths.
"""

from __future__ import annotations

import json
import os
import threading
import time
from concurrent.futures import CancelledError
from typing import Any, Callable, FrozenSet, List, Mapping, Optional, Union

PATIENCE = 2.0  # seconds
NAMED = ("path", "paths", "from", "to", "cwd", "dir", "file_path")  # arguments that name paths


class Place:
    """The place of a call among those of its program. It must be left."""

    def __init__(self, queue: "Queue", tool: str, paths: List[str]) -> None:
        self.tool = tool
        self.paths = paths
        self.canceled = False
        self.begun = False
        self._queue = queue
        # When it begins to hold back only what touches its paths.
        self.loose = time.monotonic() + PATIENCE if paths else float("inf")

    def enter(self) -> None:
        """Wait until no call before holds this one back.

        :raises CancelledError: if the call was canceled meanwhile.
        """
        self._queue._enter(self)
        self.begun = True
        self.loose = min(self.loose, time.monotonic() + PATIENCE)

    def leave(self) -> None:
        """Let those behind go on."""
        self._queue._leave(self)

    def cancel(self) -> None:
        """Have the call not be made, unless it has begun."""
        if not self.begun:
            self.leave()

    def __enter__(self) -> "Place":
        try:
            self.enter()
        except BaseException:
            self.leave()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()


class Queue:
    """The calls of a program that are not over, in their order.

    :param load: returns the names of the tools that only read; called when two calls meet.
    """

    def __init__(self, root: Optional[str], load: Callable[[], FrozenSet[str]]) -> None:
        self._root = os.path.abspath(os.fspath(root) if root is not None else ".")
        self._load = load
        self._loading = threading.Lock()
        self._reads: Optional[FrozenSet[str]] = None
        self._changed = threading.Condition()
        self._places: List[Place] = []

    def arrive(self, tool: str, arguments: Union[str, Mapping[str, Any], None]) -> Place:
        """Return a place at the end."""
        place = Place(self, tool, self._paths(arguments))
        with self._changed:
            self._places.append(place)
        return place

    def first(self, place: Place) -> bool:
        """Report whether there is no call before, and have it begin then."""
        with self._changed:
            if place.canceled or self._places[0] is not place:
                return False
            place.begun = True
            place.loose = min(place.loose, time.monotonic() + PATIENCE)
            return True

    def _enter(self, place: Place) -> None:
        if self.first(place):
            return
        reads = self._reading()
        with self._changed:
            while not place.canceled:
                until = self._held(place, reads)
                if until is None:
                    return
                self._changed.wait(None if until == float("inf") else max(0.0, until - time.monotonic()) + 0.001)
            raise CancelledError()

    def _held(self, place: Place, reads: FrozenSet[str]) -> Optional[float]:
        """Return when to look again, and None for a call that nothing holds back."""
        now, until = time.monotonic(), None
        for before in self._places:
            if before is place:
                break
            beside = before.tool == "spawn" or (before.tool in reads and place.tool in reads)
            if beside or (before.loose <= now and not _touch(before.paths, place.paths)):
                continue
            # One that touches the same paths is over when it is over.
            again = before.loose if before.loose > now else float("inf")
            until = again if until is None else min(until, again)
        return until

    def _leave(self, place: Place) -> None:
        with self._changed:
            place.canceled = True
            if place in self._places:
                self._places.remove(place)
            self._changed.notify_all()

    def _reading(self) -> FrozenSet[str]:
        with self._loading:
            if self._reads is None:
                try:
                    self._reads = self._load()
                except Exception:  # each call may change something, then, and says what is wrong
                    self._reads = frozenset()
            return self._reads

    def _paths(self, arguments: Union[str, Mapping[str, Any], None]) -> List[str]:
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                return []  # the call will say what is wrong
        if not isinstance(arguments, Mapping):
            return []
        paths: List[str] = []
        for name in NAMED:
            value = arguments.get(name)
            paths += [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return [os.path.normpath(os.path.join(self._root, path)) for path in paths if isinstance(path, str)]


def _touch(some: List[str], others: List[str]) -> bool:
    """Whether one of some paths is, or is in, one of others."""

    def within(inner: str, outer: str) -> bool:
        return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)

    return any(within(a, b) or within(b, a) for a in some for b in others)
