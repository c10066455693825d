"""What helve reports when a call failed, as exceptions."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type


class HelveError(Exception):
    """A call that failed.

    ``code`` is one of helve's codes and never changes; ``str(error)`` is the message.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "internal",
        hint: str = "",
        retryable: bool = False,
        details: Optional[Mapping[str, Any]] = None,
        warnings: Optional[List[str]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint  # what to do next; may be empty
        self.retryable = retryable  # the same call may succeed later
        self.details: Dict[str, Any] = dict(details or {})
        self.warnings: List[str] = list(warnings or [])

    def __reduce__(self) -> Any:  # so that it survives being sent to another process
        state = {k: getattr(self, k) for k in ("code", "hint", "retryable", "details", "warnings")}
        return _rebuild, (type(self), self.message, state)


class InvalidArguments(HelveError):
    """The call is wrong: correct it."""


class UnknownTool(HelveError):
    """There is no tool of that name, or it is switched off."""


class NotFound(HelveError):
    """A file, or what was looked for in it, is not there."""


class Refused(HelveError):
    """The policy or a person refused the call."""


class ApprovalRequired(HelveError):
    """A person must decide. ``approval["id"]`` is what ``helve approve`` takes."""

    @property
    def approval(self) -> Dict[str, Any]:
        approval = self.details.get("approval")
        return dict(approval) if isinstance(approval, dict) else {}


class Unavailable(HelveError):
    """A timeout, the network or a cancelled call: a retry may help."""


class BinaryNotFound(HelveError):
    """The program helve itself is not there."""


class SessionLost(HelveError):
    """helve ended while it ran calls: what they did is unknown, so they were not repeated."""


_CLASSES: Dict[str, Type[HelveError]] = {
    "invalid_arguments": InvalidArguments,
    "usage": InvalidArguments,
    "unknown_tool": UnknownTool,
    "not_registered": UnknownTool,
    "not_found": NotFound,
    "text_not_found": NotFound,
    "hunk_not_found": NotFound,
    "outside_workspace": Refused,
    "protected_path": Refused,
    "permission_denied": Refused,
    "denied": Refused,
    "rejected": Refused,
    "blocked_address": Refused,
    "approval_invalid": Refused,
    "approval_stale": Refused,
    "approval_required": ApprovalRequired,
    "timeout": Unavailable,
    "unavailable": Unavailable,
    "rate_limited": Unavailable,
    "canceled": Unavailable,
}


def from_envelope(envelope: Mapping[str, Any]) -> HelveError:
    """Return the exception for ``{"ok": false, "error": {…}}``, or for a failure that a profile
    answers like a result: ``{"ok": false, "data": "…", "helve": {"error": {…}}}``."""
    error = envelope.get("error") or envelope.get("helve", {}).get("error") or {}
    code = str(error.get("code", "internal"))
    said = envelope.get("data")
    return _CLASSES.get(code, HelveError)(
        said if isinstance(said, str) else str(error.get("message", code)),
        code=code,
        hint=str(error.get("hint", "")),
        retryable=bool(error.get("retryable", False)),
        details=error.get("details"),
        warnings=envelope.get("warnings"),
    )


def _rebuild(cls: Type[HelveError], message: str, state: Dict[str, Any]) -> HelveError:
    return cls(message, **state)
