"""The client that blocks."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, TypeVar, Unpack

import httpx

from . import _checks as checks
from . import _generations as generations
from . import _requests as requests
from ._files import PdfFile, StrPath
from ._flow import Deadline, Flow, Sleep, send, with_key
from ._generations import Call, PrintedPdf
from ._http import Answer, Request
from ._network import watch, within
from ._resources import Assets, Batches, Generations, Partials, Templates
from ._session import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    DEFAULT_WAIT_TIMEOUT,
    Session,
    hands_on,
    refuse_long_headers,
    source_of,
)
from .errors import call_timeout
from .types import (
    CompletedGeneration,
    GenerateAsyncInput,
    GenerateInput,
    Generation,
    PreviewRequest,
)

_T = TypeVar("_T")


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
        self._session = Session(url, key)
        self._timeout = timeout
        self._retries = retries
        self._http = httpx.Client() if http_client is None else http_client
        watch(self._http)
        self.generations = Generations(self)
        self.templates = Templates(self)
        self.partials = Partials(self)
        self.assets = Assets(self)
        self.batches = Batches(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def generate(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **document: Unpack[GenerateInput],
    ) -> CompletedGeneration:
        """Prints a document and returns the generation. Its `url` needs no API key."""
        call = self._call(timeout)
        return self._run(generations.generate(call, document, idempotency_key), call.deadline)

    def generate_pdf(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **document: Unpack[GenerateInput],
    ) -> PrintedPdf:
        """Prints a document and returns the PDF."""
        call = self._call(timeout)
        flow = generations.generate_pdf(call, document, idempotency_key)
        printed = self._run(flow, call.deadline)
        if isinstance(printed, PrintedPdf):
            return printed
        with within(call.deadline), self._file(printed, call.deadline) as file:
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
        call = self._call(timeout)
        flow = generations.generate_async(call, document, idempotency_key)
        return self._run(flow, call.deadline)

    def generate_and_wait(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float = DEFAULT_WAIT_TIMEOUT,
        **document: Unpack[GenerateInput],
    ) -> CompletedGeneration:
        """Queues a document and waits for it, which may take minutes."""
        call = self._call(timeout)
        flow = generations.generate_and_wait(call, document, idempotency_key)
        return self._run(flow, call.deadline)

    def wait_for(
        self, generation: Generation | str, *, timeout: float = DEFAULT_WAIT_TIMEOUT
    ) -> CompletedGeneration:
        """Waits until a generation, or that of an id, is completed.

        Raises `GenerationFailed` with the code of its error if it has failed.
        """
        id = generation if isinstance(generation, str) else generation["id"]
        call = self._call(timeout)
        return self._run(generations.wait_for(call, id), call.deadline)

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
        with self._file(source, self._timeout if timeout is None else timeout) as file:
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

    def preview(self, *, timeout: float | None = None, **document: Unpack[PreviewRequest]) -> bytes:
        """A PDF, or with `format="png"` a picture of one page. Nothing is recorded."""
        return self._send(requests.preview(document), timeout).body

    def webhook_secret(self) -> str:
        secret: str = self._send(requests.webhook_secret()).json()["secret"]
        return secret

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
        return self._send(request, timeout).json()

    @contextmanager
    def _file(
        self, source: Generation | CompletedGeneration | str, limit: Deadline | float
    ) -> Iterator[PdfFile]:
        """The limit is that of each part, or a deadline of the whole."""

        def open(headers: Mapping[str, str]) -> Answer:
            deadline = limit if isinstance(limit, Deadline) else Deadline(limit)
            request = requests.file(source_of(source), headers)
            return self._run(send(request, self._retries, deadline), deadline)

        seconds = limit.seconds if isinstance(limit, Deadline) else limit
        file = PdfFile.begin(open, seconds, self._retries)
        try:
            yield file
        finally:
            file.close()

    def _call(self, timeout: float | None) -> Call:
        return Call(self._retries, Deadline(self._timeout if timeout is None else timeout))

    def _send(self, request: Request, timeout: float | None = None) -> Answer:
        call = self._call(timeout)
        return self._run(send(request, call.retries, call.deadline), call.deadline)

    def _create(self, collection: str, body: Mapping[str, Any], key: str | None) -> Any:
        request = with_key(requests.create(collection, body), key)
        return self._send(request).json()

    def _run(self, flow: Flow[_T], deadline: Deadline) -> _T:
        try:
            step = next(flow)
            while True:
                try:
                    answer = self._take(step, deadline)
                except httpx.RequestError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(answer)
        except StopIteration as stop:
            result: _T = stop.value
            return result

    def _take(self, step: Request | Sleep, deadline: Deadline) -> Answer | None:
        remaining = deadline.remaining()
        if isinstance(step, Sleep):
            time.sleep(max(0, min(step.seconds, remaining)))
            if step.seconds >= remaining:
                raise call_timeout(deadline.seconds)
            return None
        if remaining <= 0:
            raise call_timeout(deadline.seconds)
        # The parts of a file arrive after this call, each within the whole limit.
        limit = deadline.seconds if step.is_file else remaining
        request = self._session.build(self._http, step, limit)
        try:
            with within(deadline):
                response = self._http.send(request, stream=True, follow_redirects=step.is_file)
                if hands_on(step, response):
                    return Answer(response.status_code, response.headers, b"", response)
                try:
                    refuse_long_headers(response)
                    body = response.read()
                finally:
                    response.close()
        except httpx.TimeoutException as error:
            raise call_timeout(deadline.seconds) from error
        return Answer(response.status_code, response.headers, body)
