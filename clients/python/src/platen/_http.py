"""Requests and responses, before they are sent and after they have arrived."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from .error_codes import ErrorCode
from .errors import PlatenError, UnexpectedResponse, error_class

_SHOWN_BYTES = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. The body of a file is not read: `stream` is the response that has it."""

    status: int
    headers: httpx.Headers
    body: bytes
    stream: httpx.Response | None = None

    @property
    def content_type(self) -> str:
        return str(self.headers.get("content-type", ""))

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    def has_type(self, *types: str) -> bool:
        return self.content_type.partition(";")[0].strip().lower() in types

    def json(self) -> Any:
        """`None` for what is not JSON in UTF-8, or nested more deeply than Python reads."""
        try:
            return json.loads(self.body.decode())
        except (ValueError, RecursionError):
            return None

    def header(self, name: str) -> str | None:
        return self.headers.get(name) or None


Check = Callable[[Answer], str | None]
"""Why a successful answer cannot be of Platen, or is not whole; `None` if it can."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to send. `target` is a path of the API or a URL."""

    method: str
    target: str
    check: Check
    params: Mapping[str, str | int | bool] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    content: bytes | None = None
    is_file: bool = False
    """Its body is handed on while it arrives, and it may be in an object store."""
    has_key: bool = True
    """Signed URLs need no API key."""
    is_idempotent: bool = False
    """It has an idempotency key, or changes nothing, so that it can be repeated."""


def unexpected(answer: Answer, reason: str) -> UnexpectedResponse:
    kind = answer.content_type or "no content type"
    return UnexpectedResponse(
        ErrorCode.UNEXPECTED_RESPONSE,
        f"The response is not one of Platen: {reason} (status {answer.status}, {kind})",
        status=answer.status,
        request_id=answer.header("x-request-id"),
        details={
            "content_type": answer.content_type,
            "body": answer.body[:_SHOWN_BYTES].decode(errors="replace"),
        },
    )


def error_code(answer: Answer) -> str | None:
    """The code of an answer that is an error of Platen."""
    failure = _failure(answer)
    return None if failure is None else failure["code"]


def error_of(answer: Answer) -> PlatenError:
    """The error for an answer that is no success."""
    failure = _failure(answer)
    if failure is None:
        is_redirect = 300 <= answer.status < 400
        reason = "it is a redirect" if is_redirect else "it is not an error of Platen"
        return unexpected(answer, reason)
    details = failure.get("details")
    named = details.get("generation_id") if isinstance(details, dict) else None
    return error_class(answer.status)(
        failure["code"],
        failure["message"],
        status=answer.status,
        request_id=answer.header("x-request-id"),
        generation_id=named or answer.header("x-generation-id"),
        details=details,
    )


def _failure(answer: Answer) -> dict[str, Any] | None:
    body = answer.json()
    failure = body.get("error") if isinstance(body, dict) else None
    if not isinstance(failure, dict):
        return None
    texts = (failure.get("code"), failure.get("message"))
    return failure if all(isinstance(text, str) for text in texts) else None
