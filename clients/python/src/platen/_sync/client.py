# Made by `npm run generate` from _async/client.py. Edit that file.
"""The client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, Unpack

import httpx

from .. import _checks as checks
from .. import _generations as generations
from .. import _requests as requests
from .._flow import Deadline
from .._generations import PrintedPdf
from .._http import Request
from .._session import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    DEFAULT_WAIT_TIMEOUT,
    Session,
    source_of,
)
from ..types import (
    CompletedGeneration,
    GenerateAsyncInput,
    GenerateInput,
    Generation,
    PreviewRequest,
)
from .connection import Connection
from .files import PdfFile, StrPath
from .network import within
from .resources import (
    Assets,
    Batches,
    Generations,
    Partials,
    Templates,
)


class Platen:
    """A client of Platen.

    Failures that may pass (broken connections, 429, 502, 503, 504) are retried, with an
    idempotency key, so that nothing is printed twice. Methods raise `PlatenError`.
    Timeouts are in seconds, and of the whole call with its retries.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        session = Session(url, key)
        connection = Connection(session, http_client, timeout=timeout, retries=retries)
        self._connection = connection
        self.generations = Generations(connection)
        self.templates = Templates(connection)
        self.partials = Partials(connection)
        self.assets = Assets(connection)
        self.batches = Batches(connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def generate(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **document: Unpack[GenerateInput],
    ) -> CompletedGeneration:
        """Prints a document and returns the generation. Its `url` needs no API key."""
        call = self._connection.call(timeout)
        flow = generations.generate(call, document, idempotency_key)
        return self._connection.run(flow, call.deadline)

    def generate_pdf(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **document: Unpack[GenerateInput],
    ) -> PrintedPdf:
        """Prints a document and returns the PDF."""
        call = self._connection.call(timeout)
        flow = generations.generate_pdf(call, document, idempotency_key)
        printed = self._connection.run(flow, call.deadline)
        if isinstance(printed, PrintedPdf):
            return printed
        seconds = call.deadline.seconds
        with (
            within(call.deadline),
            self._file(source_of(printed), seconds, call.deadline) as file,
        ):
            content = file.read()
        return PrintedPdf(printed["id"], content, printed["pages"], len(printed["warnings"]))

    def generate_async(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **document: Unpack[GenerateAsyncInput],
    ) -> Generation:
        """Queues a document and returns at once: see `wait_for`."""
        call = self._connection.call(timeout)
        flow = generations.generate_async(call, document, idempotency_key)
        return self._connection.run(flow, call.deadline)

    def generate_and_wait(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float = DEFAULT_WAIT_TIMEOUT,
        **document: Unpack[GenerateInput],
    ) -> CompletedGeneration:
        """Queues a document and waits for it, which may take minutes."""
        call = self._connection.call(timeout)
        flow = generations.generate_and_wait(call, document, idempotency_key)
        return self._connection.run(flow, call.deadline)

    def wait_for(
        self, generation: Generation | str, *, timeout: float = DEFAULT_WAIT_TIMEOUT
    ) -> CompletedGeneration:
        """Waits until a generation, or that of an id, is completed.

        Raises `GenerationFailed` with the code of its error if it has failed.
        """
        id = generation if isinstance(generation, str) else generation["id"]
        call = self._connection.call(timeout)
        return self._connection.run(generations.wait_for(call, id), call.deadline)

    @contextmanager
    def file(
        self,
        source: Generation | CompletedGeneration | str,
        *,
        timeout: float | None = None,
    ) -> Iterator[PdfFile]:
        """Opens the PDF of a generation, of its id, or of a signed URL.

        `timeout` is how long to wait for the first and for each further part.
        """
        seconds = self._connection.timeout if timeout is None else timeout
        with self._file(source_of(source), seconds) as file:
            yield file

    def save_file(
        self,
        source: Generation | CompletedGeneration | str,
        path: StrPath,
        *,
        timeout: float | None = None,
    ) -> None:
        """Writes a PDF to a file while it arrives. The file exists only when it is whole."""
        with self.file(source, timeout=timeout) as file:
            file.save(path)

    def preview(
        self,
        *,
        timeout: float | None = None,
        **document: Unpack[PreviewRequest],
    ) -> bytes:
        """A PDF, or with `format="png"` a picture of one page. Nothing is recorded."""
        answer = self._connection.send(requests.preview(document), timeout)
        return answer.body

    def webhook_secret(self) -> str:
        answer = self._connection.json(requests.webhook_secret())
        return str(answer["secret"])

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int | bool] | None = None,
        json: Any = None,
        timeout: float | None = None,
    ) -> Any:
        """Any other operation of the API, such as `request("GET", "/v1/keys")`.

        Returns the JSON of the response, or `None` if there is none.
        """
        is_idempotent = method in ("GET", "HEAD")
        request = Request(
            method,
            path,
            checks.is_anything if method == "DELETE" else checks.is_object,
            params=params or {},
            json=json,
            is_idempotent=is_idempotent,
        )
        return self._connection.json(request, timeout)

    @contextmanager
    def _file(
        self, source: str, seconds: float, deadline: Deadline | None = None
    ) -> Iterator[PdfFile]:
        """`seconds` is how long each part may take, the deadline is that of the whole."""
        file = PdfFile(self._connection, source, seconds, deadline)
        file._begin()
        try:
            yield file
        finally:
            file.close()
