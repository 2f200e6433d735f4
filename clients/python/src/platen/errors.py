"""What a call raises."""

from __future__ import annotations

from typing import Any

from .error_codes import ErrorCode

__all__ = [
    "ApiError",
    "CallTimeout",
    "Conflict",
    "GenerationFailed",
    "InvalidRequest",
    "NetworkError",
    "NotFound",
    "PermissionDenied",
    "PlatenError",
    "RateLimited",
    "ServerError",
    "UnexpectedResponse",
    "WebhookVerificationError",
]


class PlatenError(Exception):
    """Why a call failed. `code` is one of `ErrorCode`, or one of a later version of Platen."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        generation_id: str | None = None,
        generation_status: str | None = None,
        details: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        """Of the HTTP response that is the error; `None` if there is none."""
        self.request_id = request_id
        """`x-request-id`: the log and the events of the server have it."""
        self.generation_id = generation_id
        self.generation_status = generation_status
        """`failed` or `cancelled`, if the generation was polled and has ended so."""
        self.details = details
        """Depends on the code: for `VALIDATION_ERROR` a list of `{path, message}`."""

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class NetworkError(PlatenError):
    """The server was not reached, the connection broke, or the response is not HTTP."""


class CallTimeout(PlatenError, TimeoutError):
    """The call took longer than its time limit."""


class UnexpectedResponse(PlatenError):
    """The response is not one of Platen, for example the page of a proxy.

    `details` has its `content_type` and the first 200 bytes of its `body`.
    """


class GenerationFailed(PlatenError):
    """The generation that was waited for has failed or was cancelled."""


class ApiError(PlatenError):
    """Platen has refused the request. The subclasses are by status, `code` says why."""


class InvalidRequest(ApiError):
    """400, 413, 415 or 422: the request or its document must be changed."""


class PermissionDenied(ApiError):
    """401 or 403: the API key is wrong, or lacks a scope."""


class NotFound(ApiError):
    """404 or 410: there is no such thing, or not any more."""


class Conflict(ApiError):
    """409 or 412: another client has changed or created it."""


class RateLimited(ApiError):
    """429: too many requests, also after the retries."""


class ServerError(ApiError):
    """5xx: Platen cannot answer now, also after the retries."""


class WebhookVerificationError(Exception):
    """The request is not a webhook of this Platen, or it is too old: answer with 400."""


_by_status: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: PermissionDenied,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
}


def error_class(status: int) -> type[ApiError]:
    return ServerError if status >= 500 else _by_status.get(status, ApiError)


def call_timeout(seconds: float) -> CallTimeout:
    return CallTimeout(ErrorCode.TIMEOUT, f"The call took longer than {seconds:g} s")
