# Made by `npm run generate` from _async/files.py. Edit that file.
"""PDFs that are being downloaded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

import httpx

from .. import _requests as requests
from .._download import Download
from .._flow import Deadline, network_error, send
from .._http import Answer
from ..errors import PlatenError, call_timeout
from .connection import Connection
from .network import write

StrPath: TypeAlias = str | os.PathLike[str]


class PdfFile:
    """A PDF that is being downloaded. Its content can be read once.

    Where the connection breaks, the download continues there with a range request.
    """

    def __init__(
        self,
        connection: Connection,
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

    def __iter__(self) -> Iterator[bytes]:
        first, self._first = self._first, b""
        if first:
            yield first
        yield from self._parts

    def read(self) -> bytes:
        """The whole content."""
        return b"".join([part for part in self])

    def save(self, path: StrPath) -> None:
        """Writes the content while it arrives. The file exists only when it is whole."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.{uuid4().hex}.part")
        try:
            with partial.open("xb") as file:
                for part in self:
                    write(file, part)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def close(self) -> None:
        self._response.close()

    def _begin(self) -> None:
        """Returns when the beginning of a PDF has arrived."""
        answer = self._open({})
        try:
            self._download = Download(answer)
            while len(self._first) < 5 and (part := next(self._parts, b"")):
                self._first += part
            self._download.start(self._first)
        except BaseException:
            self.close()
            raise

    def _open(self, headers: Mapping[str, str]) -> Answer:
        deadline = self._deadline or Deadline(self._seconds)
        request = requests.file(self._source, headers)
        flow = send(request, self._connection.retries, deadline)
        answer = self._connection.run(flow, deadline)
        assert answer.stream is not None
        self._response = answer.stream
        return answer

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
                self._download.resume(self._open(self._download.rest()))
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
