"""What takes time in the client that blocks. That of asyncio has another file with the same names.

httpx limits each read and write. A server that sends a byte now and then is within these
limits for ever, so the connections of the client look at the end of the call, too.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, BinaryIO

import httpcore
import httpx

from .._flow import Deadline
from ..errors import call_timeout

_current: ContextVar[Deadline | None] = ContextVar("_current", default=None)
# Less than a part of a large request, which may take several writes.
_PART = 64 * 1024

sleep = time.sleep


def write(file: BinaryIO, part: bytes) -> None:
    file.write(part)


def open_client(client: httpx.Client | None) -> httpx.Client:
    """The client that a caller has passed, or a new one. Its connections know of `within`.

    A transport that is not one of httpx keeps the limit of each read and write.
    """
    opened = httpx.Client() if client is None else client
    for transport in (opened._transport, *opened._mounts.values()):
        pool = getattr(transport, "_pool", None)
        backend = getattr(pool, "_network_backend", None)
        if isinstance(backend, httpcore.NetworkBackend) and not isinstance(backend, _Backend):
            pool._network_backend = _Backend(backend)  # type: ignore[union-attr]
    return opened


@contextmanager
def within(deadline: Deadline) -> Iterator[None]:
    """What is sent and received in the block ends with the deadline, as a `CallTimeout`."""
    token = _current.set(deadline)
    try:
        yield
    except httpx.TimeoutException as error:
        raise call_timeout(deadline.seconds) from error
    finally:
        _current.reset(token)


def _limited(timeout: float | None) -> float | None:
    deadline = _current.get()
    if deadline is None:
        return timeout
    remaining = max(deadline.remaining(), 0.001)
    return remaining if timeout is None else min(timeout, remaining)


class _Backend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(
            host, port, _limited(timeout), local_address, socket_options
        )
        return _Stream(stream)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        return _Stream(self._backend.connect_unix_socket(path, _limited(timeout), socket_options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _limited(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PART):
            self._stream.write(buffer[start : start + _PART], _limited(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _limited(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
