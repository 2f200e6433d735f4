"""What is known of a download, over as many responses as it takes."""

from __future__ import annotations

import re
from urllib.parse import unquote

import httpx

from . import _checks as checks
from ._http import Answer, unexpected
from .error_codes import ErrorCode
from .errors import UnexpectedResponse


class Download:
    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        headers = answer.headers
        self.name = file_name(headers)
        is_encoded = "content-encoding" in headers
        length = headers.get("content-length")
        self.size = None if is_encoded or length is None else int(length)
        """In bytes; `None` if a proxy has compressed the response."""
        tag = headers.get("etag", "")
        self._tag = "" if is_encoded or tag.startswith("W/") else tag
        # An object store has entity tags of its own.
        self._is_redirected = answer.stream is not None and bool(answer.stream.history)
        self._is_pdf = not answer.has_type(*checks.OTHER_FILES)
        self._received = 0
        self._end = b""

    @property
    def can_continue(self) -> bool:
        return self._tag != ""

    def rest(self) -> dict[str, str]:
        """The headers of a request for what has not arrived."""
        headers = {"range": f"bytes={self._received}-"}
        return headers if self._is_redirected else {**headers, "if-match": self._tag}

    def resume(self, answer: Answer) -> None:
        if answer.status != 206 or answer.headers.get("etag") != self._tag:
            raise UnexpectedResponse(
                ErrorCode.UNEXPECTED_RESPONSE,
                "The rest of the file is not available",
                status=answer.status,
            )

    def receive(self, part: bytes) -> None:
        self._received += len(part)
        self._end = (self._end + part)[-checks.PDF_END_LENGTH :]

    def start(self, content: bytes) -> None:
        if self._is_pdf and not content.startswith(checks.PDF_START):
            raise unexpected(self._with(content), "its body is not a PDF")

    def finish(self) -> None:
        if self._is_pdf and self._received and checks.PDF_END not in self._end:
            reason = f"its body ends after {self._received} bytes, in the middle of a PDF"
            raise unexpected(self._with(checks.PDF_START), reason)

    def _with(self, content: bytes) -> Answer:
        return Answer(self._answer.status, self._answer.headers, content)


def file_name(headers: httpx.Headers) -> str:
    """The name of `Content-Disposition` (RFC 6266), without folders: a file is saved under it."""
    name = re.split(r"[/\\]", _sent_name(headers.get("content-disposition", "")))[-1]
    return "document.pdf" if name in ("", ".", "..") else name


def _sent_name(header: str) -> str:
    encoded = r"filename\*=utf-8''((?:[^;\s%]|%[0-9a-f]{2})+)(?=[;\s]|$)"
    if extended := re.search(encoded, header, re.IGNORECASE):
        try:
            return unquote(extended[1], errors="strict")
        except UnicodeDecodeError:
            pass
    if quoted := re.search(r'filename="((?:[^"\\]|\\.)*)"', header, re.IGNORECASE):
        return re.sub(r"\\(.)", r"\1", quoted[1])
    return ""
