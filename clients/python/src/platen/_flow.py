"""The steps of a call, without I/O: the two clients take them in their own ways.

A flow is a generator. It yields what to do, is sent the answer, and returns its result.
"""

from __future__ import annotations

import email.utils
import math
import random
import time
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TypeVar
from uuid import uuid4

import httpx

from ._http import Answer, Request, error_code, error_of, unexpected
from .error_codes import ErrorCode
from .errors import NetworkError, PlatenError

_T = TypeVar("_T")

_BUSY = {429, 502, 503, 504}
# The generation has an outcome or goes on: to send the request again would not help.
_FINAL = {ErrorCode.RENDER_TIMEOUT, ErrorCode.WAIT_TIMEOUT}
_FIRST_DELAY = 0.5
_LONGEST_DELAY = 10.0


@dataclass(frozen=True, slots=True)
class Sleep:
    seconds: float


Flow = Generator[Request | Sleep, Answer | None, _T]


class Deadline:
    """When a call must have ended."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        return self._end - time.monotonic()


def send(request: Request, retries: int, deadline: Deadline) -> Flow[Answer]:
    """Sends a request until it is answered by anything but a failure that may pass.

    These are broken connections and the statuses 429, 502, 503 and 504. A request that
    could have an effect twice is only repeated after a 429. Raises for what is no success.
    """
    for attempt in range(retries + 1):
        is_last = attempt == retries
        backoff = min(_FIRST_DELAY * 2**attempt, _LONGEST_DELAY) * random.uniform(0.5, 1)
        try:
            answer = yield request
        except httpx.RequestError as error:
            if is_last or not request.is_idempotent or backoff >= deadline.remaining():
                raise network_error(error) from error
            yield Sleep(backoff)
            continue
        assert answer is not None
        if answer.is_success:
            if problem := request.check(answer):
                raise unexpected(answer, problem)
            return answer
        may_repeat = request.is_idempotent or answer.status == 429
        delay = max(backoff, retry_after(answer.headers) or 0)
        is_passing = answer.status in _BUSY and error_code(answer) not in _FINAL
        if is_last or not may_repeat or not is_passing or delay >= deadline.remaining():
            raise error_of(answer)
        yield Sleep(delay)
    raise AssertionError("the last attempt returns or raises")


def with_key(request: Request, key: str | None) -> Request:
    """The request with an idempotency key, which all of its attempts have in common."""
    headers = {**request.headers, "idempotency-key": key or uuid4().hex}
    return replace(request, headers=headers, is_idempotent=True)


def retry_after(headers: httpx.Headers) -> float | None:
    """In seconds: the header has a number of them, or a date (RFC 9110, 10.2.3)."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        date = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, math.ceil(date.timestamp() - time.time()))


def network_error(error: httpx.RequestError) -> PlatenError:
    host = error.request.url.netloc.decode()
    message = f"The connection to {host} failed: {error or type(error).__name__}"
    return NetworkError(ErrorCode.NETWORK_ERROR, message)
