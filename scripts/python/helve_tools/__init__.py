"""The tools of helve for an AI agent: files, searches, commands and the web.

    from helve_tools import Helve

    helve = Helve(root="project")
    helve.call("read", path="README.md")["content"]   # one tool, for a program
    helve.definitions("openai")                       # for a request's tools
    helve.answer(completion)                          # the messages to append

    with helve.session() as s:                        # one process for many calls
        s.call("grep", pattern="TODO")
"""

from __future__ import annotations

from .aio import AsyncHelve, AsyncSession, OnApprovalAsync
from .approvals import Decision, OnApproval
from .client import Helve, Session
from .errors import (
    ApprovalRequired,
    BinaryNotFound,
    HelveError,
    InvalidArguments,
    NotFound,
    Refused,
    SessionLost,
    Unavailable,
    UnknownTool,
)
from .protocol import Outcome, Result, Shared

__all__ = [
    "ApprovalRequired",
    "AsyncHelve",
    "AsyncSession",
    "BinaryNotFound",
    "Decision",
    "Helve",
    "HelveError",
    "InvalidArguments",
    "NotFound",
    "OnApproval",
    "OnApprovalAsync",
    "Outcome",
    "Refused",
    "Result",
    "Session",
    "SessionLost",
    "Shared",
    "Unavailable",
    "UnknownTool",
]
