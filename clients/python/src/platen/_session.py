"""What the two clients have in common."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

import httpx

from ._http import Answer, Request
from .types import CompletedGeneration, Generation

try:
    __version__ = version("platen-client")
except PackageNotFoundError:  # the sources of the repository, which are not installed
    __version__ = "0"

DEFAULT_TIMEOUT = 60.0
DEFAULT_WAIT_TIMEOUT = 600.0
DEFAULT_RETRIES = 4
_MAX_HEADER_BYTES = 16 * 1024


class Session:
    """Where requests go, and with which key."""

    def __init__(self, url: str, key: str | None) -> None:
        if not re.match(r"https?://[^/]", url, re.IGNORECASE):
            raise ValueError("The URL must begin with http:// or https:// and have a host")
        # The key is not shown, as an error may be logged.
        if key and not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError(
                "The API key must be printable ASCII without spaces: it may end with a line break"
            )
        self.url = url.rstrip("/")
        self._authorization = {"authorization": f"Bearer {key}"} if key else {}

    def build(
        self, http: httpx.Client | httpx.AsyncClient, request: Request, timeout: float
    ) -> httpx.Request:
        is_path = request.target.startswith("/")
        return http.build_request(
            request.method,
            f"{self.url}{request.target}" if is_path else request.target,
            params=dict(request.params) or None,
            headers={
                "user-agent": f"platen-client-python/{__version__}",
                "accept": "application/json",
                **(self._authorization if request.has_key else {}),
                **request.headers,
            },
            json=request.json,
            content=request.content,
            timeout=timeout,
        )


def refuse_long_headers(response: httpx.Response) -> None:
    """Platen sends less than 4 KiB. What is longer is not read, as in the other clients."""
    length = sum(len(name) + len(value) for name, value in response.headers.raw)
    if length > _MAX_HEADER_BYTES:
        message = f"the headers of the response have {length} bytes"
        raise httpx.RemoteProtocolError(message, request=response.request)


def hands_on(request: Request, response: httpx.Response) -> bool:
    """Whether the body is read by the caller while it arrives."""
    answer = Answer(response.status_code, response.headers, b"")
    return request.is_file and answer.is_success and request.check(answer) is None


def source_of(generation: Generation | CompletedGeneration | str) -> str:
    """The signed URL of a generation, or its id, which needs `generations:read`."""
    if isinstance(generation, str):
        return generation
    return generation.get("url") or generation["id"]
