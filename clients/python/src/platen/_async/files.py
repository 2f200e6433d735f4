"""PDFs that are being downloaded."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

import httpx

from .. import _requests as requests
from .._download import Download
from .._flow import Deadline, network_error, send
from .._http import Answer
from ..errors import PlatenError, call_timeout
from .connection import AsyncConnection
from .network import write

StrPath: TypeAlias = str | os.PathLike[str]


class AsyncPdfFile:
    """A PDF that is being downloaded. Its content can be read once.

    Where the connection breaks, the download continues there with a range request.
    """

    def __init__(
        self,
        connection: AsyncConnection,
        source: str,
        seconds: float,
        deadline: Deadline | None,
    ) -> None:
        """`seconds` is how long each part may take, the deadline is that of the whole."""
        self._connection = connection
        self._source = source
        self._seconds = seconds
        self._deadline = deadline
        self._first = b""
        self._parts = self._receive()

    @property
    def name(self) -> str:
        """For those who save it, such as `Invoice 2026-0042.pdf`."""
        return self._download.name

    @property
    def size(self) -> int | None:
        """In bytes; `None` if a proxy has compressed the response."""
        return self._download.size

    async def __aiter__(self) -> AsyncIterator[bytes]:
        first, self._first = self._first, b""
        if first:
            yield first
        async for part in self._parts:
            yield part

    async def read(self) -> bytes:
        """The whole content."""
        return b"".join([part async for part in self])

    async def save(self, path: StrPath) -> None:
        """Writes the content while it arrives. The file exists only when it is whole."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.{uuid4().hex}.part")
        try:
            with partial.open("xb") as file:
                async for part in self:
                    await write(file, part)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    async def aclose(self) -> None:
        await self._response.aclose()

    async def _begin(self) -> None:
        """Returns when the beginning of a PDF has arrived."""
        answer = await self._open({})
        try:
            self._download = Download(answer)
            while len(self._first) < 5 and (part := await anext(self._parts, b"")):
                self._first += part
            self._download.start(self._first)
        except BaseException:
            await self.aclose()
            raise

    async def _open(self, headers: Mapping[str, str]) -> Answer:
        deadline = self._deadline or Deadline(self._seconds)
        request = requests.file(self._source, headers)
        flow = send(request, self._connection.retries, deadline)
        answer = await self._connection.run(flow, deadline)
        assert answer.stream is not None
        self._response = answer.stream
        return answer

    async def _receive(self) -> AsyncIterator[bytes]:
        failures = 0
        while True:
            try:
                async for part in self._response.aiter_bytes():
                    failures = 0
                    self._download.receive(part)
                    yield part
            except httpx.RequestError as error:
                await self._response.aclose()
                if failure := self._failure(error, failures):
                    raise failure from error
                failures += 1
                self._download.resume(await self._open(self._download.rest()))
            else:
                self._download.finish()
                return

    def _failure(self, error: httpx.RequestError, failures: int) -> PlatenError | None:
        """`None` if the download can continue."""
        if self._download.can_continue and failures < self._connection.retries:
            return None
        if isinstance(error, httpx.TimeoutException):
            return call_timeout(self._seconds)
        return network_error(error)
