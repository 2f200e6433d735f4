"""The flows of generations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

from . import _checks as checks
from ._flow import Deadline, Flow, Sleep, retry_after, send, with_key
from ._http import Request
from .error_codes import ErrorCode
from .errors import ApiError, GenerationFailed, UnexpectedResponse
from .types import CompletedGeneration, Generation

# Of one request. Many proxies end connections that are silent for a minute.
_LONGEST_POLL = 30
_POLL_PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class PrintedPdf:
    """A PDF, as `generate_pdf` returns it."""

    id: str
    """Of the generation."""
    content: bytes
    pages: int
    warnings: int
    """How many there are. `generate` returns them."""


@dataclass(frozen=True, slots=True)
class Call:
    """What the flows of one call have in common."""

    retries: int
    deadline: Deadline

    def send(self, request: Request) -> Flow[Any]:
        """The JSON of the answer."""
        answer = yield from send(request, self.retries, self.deadline)
        return answer.json()


def generate(call: Call, document: Mapping[str, Any], key: str | None) -> Flow[CompletedGeneration]:
    try:
        generation = yield from call.send(_request(document, key))
    except ApiError as error:
        generation = yield from until_ended(call, _running(error))
    if _is_running(generation):
        generation = yield from until_ended(call, generation["id"])
    return completed(generation)


def generate_async(call: Call, document: Mapping[str, Any], key: str | None) -> Flow[Generation]:
    generation = yield from call.send(_request({**document, "async": True}, key))
    return cast(Generation, generation)


def generate_and_wait(
    call: Call, document: Mapping[str, Any], key: str | None
) -> Flow[CompletedGeneration]:
    queued = yield from generate_async(call, document, key)
    if _is_running(queued):
        queued = yield from until_ended(call, queued["id"])
    return completed(queued)


def generate_pdf(
    call: Call, document: Mapping[str, Any], key: str | None
) -> Flow[PrintedPdf | CompletedGeneration]:
    """The generation if the server has stopped to wait: its file is to be fetched."""
    accept = {"accept": "application/pdf"}
    request = Request(
        "POST", "/v1/generate", checks.is_generated_pdf, headers=accept, json=document
    )
    try:
        answer = yield from send(with_key(request, key), call.retries, call.deadline)
    except ApiError as error:
        generation = yield from until_ended(call, _running(error))
        return completed(generation)
    return PrintedPdf(
        id=answer.headers["x-generation-id"],
        content=answer.body,
        pages=int(answer.header("x-generation-pages") or 0),
        warnings=int(answer.header("x-generation-warnings") or 0),
    )


def wait_for(call: Call, id: str) -> Flow[CompletedGeneration]:
    generation = yield from until_ended(call, id)
    return completed(generation)


def until_ended(call: Call, id: str) -> Flow[Generation]:
    """A generation that has ended, read by long polls."""
    while True:
        wait = max(1, min(_LONGEST_POLL, math.ceil(call.deadline.remaining())))
        request = Request(
            "GET",
            f"/v1/generations/{quote(id, safe='')}",
            checks.is_generation,
            params={"wait": wait},
            is_idempotent=True,
        )
        answer = yield from send(request, call.retries, call.deadline)
        generation = cast(Generation, answer.json())
        if not _is_running(generation):
            return generation
        pause = retry_after(answer.headers)
        yield Sleep(_POLL_PAUSE if pause is None else pause)


def completed(generation: Generation) -> CompletedGeneration:
    """A generation that has ended, if its PDF can be fetched. Raises its error otherwise."""
    id, status = generation["id"], generation["status"]
    if status == "cancelled":
        raise GenerationFailed(
            ErrorCode.GENERATION_CANCELLED,
            "The generation was cancelled",
            generation_id=id,
            generation_status=status,
        )
    if error := generation.get("error"):
        raise GenerationFailed(
            error["code"],
            error["message"],
            generation_id=id,
            generation_status=status,
            details=error.get("details"),
        )
    if status != "completed" or not {"url", "pages", "size"} <= generation.keys():
        raise UnexpectedResponse(
            ErrorCode.UNEXPECTED_RESPONSE,
            f"The generation is {status} and has no PDF",
            generation_id=id,
            generation_status=status,
        )
    return cast(CompletedGeneration, {"warnings": [], "duration_ms": 0, **generation})


def _request(document: Mapping[str, Any], key: str | None) -> Request:
    request = Request("POST", "/v1/generate", checks.is_generation, json=document)
    return with_key(request, key)


def _is_running(generation: Generation) -> bool:
    return generation["status"] in ("queued", "rendering")


def _running(error: ApiError) -> str:
    """The id of a generation that goes on after the server has stopped to wait for it."""
    if error.code != ErrorCode.WAIT_TIMEOUT or error.generation_id is None:
        raise error
    return error.generation_id
