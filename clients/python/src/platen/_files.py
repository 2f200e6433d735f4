"""PDFs that are being downloaded."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

import httpx

from ._download import Download
from ._flow import network_error
from ._http import Answer
from .errors import PlatenError, call_timeout

StrPath: TypeAlias = str | os.PathLike[str]
Headers: TypeAlias = Mapping[str, str]


class _File:
    def __init__(self, answer: Answer, timeout: float, retries: int) -> None:
        assert answer.stream is not None
        self._response: httpx.Response = answer.stream
        self._download = Download(answer)
        self._timeout = timeout
        self._retries = retries
        self._first = b""

    @property
    def name(self) -> str:
        """For those who save it, such as `Invoice 2026-0042.pdf`."""
        return self._download.name

    @property
    def size(self) -> int | None:
        """In bytes; `None` if a proxy has compressed the response."""
        return self._download.size

    def _failure(self, error: httpx.RequestError, failures: int) -> PlatenError | None:
        """`None` if the download can continue."""
        if self._download.can_continue and failures < self._retries:
            return None
        if isinstance(error, httpx.TimeoutException):
            return call_timeout(self._timeout)
        return network_error(error)


class PdfFile(_File):
    """A PDF that is being downloaded. Its content can be read once.

    Where the connection breaks, the download continues there with a range request.
    """

    _open: Callable[[Headers], Answer]

    @classmethod
    def begin(cls, open: Callable[[Headers], Answer], timeout: float, retries: int) -> PdfFile:
        """Returns when the beginning of a PDF has arrived."""
        file = cls(open({}), timeout, retries)
        file._open = open
        file._parts = file._receive()
        try:
            while len(file._first) < 5 and (part := next(file._parts, b"")):
                file._first += part
            file._download.start(file._first)
        except BaseException:
            file.close()
            raise
        return file

    def __iter__(self) -> Iterator[bytes]:
        first, self._first = self._first, b""
        if first:
            yield first
        yield from self._parts

    def read(self) -> bytes:
        """The whole content."""
        return b"".join(self)

    def save(self, path: StrPath) -> None:
        """Writes the content while it arrives. The file exists only when it is whole."""
        partial = _partial(path)
        try:
            with partial.open("xb") as target:
                for part in self:
                    target.write(part)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def close(self) -> None:
        self._response.close()

    def _receive(self) -> Iterator[bytes]:
        failures = 0
        while True:
            try:
                for part in self._response.iter_bytes():
                    failures = 0
                    self._download.receive(part)
                    yield part
            except httpx.RequestError as error:
                self._response.close()
                if failure := self._failure(error, failures):
                    raise failure from error
                failures += 1
                answer = self._open(self._download.rest())
                assert answer.stream is not None
                self._response = answer.stream
                self._download.resume(answer)
            else:
                self._download.finish()
                return

    _parts: Iterator[bytes]


class AsyncPdfFile(_File):
    """A PDF that is being downloaded. Its content can be read once.

    Where the connection breaks, the download continues there with a range request.
    """

    _open: Callable[[Headers], Awaitable[Answer]]
    _parts: AsyncIterator[bytes]

    @classmethod
    async def begin(
        cls, open: Callable[[Headers], Awaitable[Answer]], timeout: float, retries: int
    ) -> AsyncPdfFile:
        """Returns when the beginning of a PDF has arrived."""
        file = cls(await open({}), timeout, retries)
        file._open = open
        file._parts = file._receive()
        try:
            while len(file._first) < 5 and (part := await anext(file._parts, b"")):
                file._first += part
            file._download.start(file._first)
        except BaseException:
            await file.aclose()
            raise
        return file

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
        partial = _partial(path)
        try:
            with partial.open("xb") as target:
                async for part in self:
                    await asyncio.to_thread(target.write, part)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    async def aclose(self) -> None:
        await self._response.aclose()

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
                answer = await self._open(self._download.rest())
                assert answer.stream is not None
                self._response = answer.stream
                self._download.resume(answer)
            else:
                self._download.finish()
                return


def _partial(path: StrPath) -> Path:
    target = Path(path)
    return target.with_name(f"{target.name}.{uuid4().hex}.part")
