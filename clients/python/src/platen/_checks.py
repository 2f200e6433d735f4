"""What tells an answer of Platen from one that a proxy has sent or changed."""

from __future__ import annotations

from ._http import Answer

PDF_START = b"%PDF-"
PDF_END = b"%%EOF"
PDF_END_LENGTH = 1024
"""How many bytes at the end have `%%EOF`: readers of PDF look there."""
OTHER_FILES = ("image/png", "image/jpeg", "image/webp", "application/zip")
"""The types of files that are no PDF."""


def is_object(answer: Answer) -> str | None:
    if not answer.has_type("application/json"):
        return "it has another content type"
    return None if isinstance(answer.json(), dict) else "its body is not a JSON object"


def is_generation(answer: Answer) -> str | None:
    if problem := is_object(answer):
        return problem
    body = answer.json()
    texts = (body.get("id"), body.get("status"))
    if all(isinstance(text, str) and text for text in texts):
        return None
    return "its body is not a generation"


def is_page(answer: Answer) -> str | None:
    if problem := is_object(answer):
        return problem
    is_list = isinstance(answer.json().get("data"), list)
    return None if is_list else "its body is not a page of a list"


def is_pdf(answer: Answer) -> str | None:
    if not answer.has_type("application/pdf"):
        return "it has another content type"
    if not answer.body.startswith(PDF_START):
        return "its body is not a PDF"
    if PDF_END not in answer.body[-PDF_END_LENGTH:]:
        return "its body is only a part of a PDF"
    return None


def is_generated_pdf(answer: Answer) -> str | None:
    if problem := is_pdf(answer):
        return problem
    has_id = answer.header("x-generation-id") is not None
    return None if has_id else "it has no id of a generation"


def is_preview(answer: Answer) -> str | None:
    return None if answer.has_type("image/png") else is_pdf(answer)


def is_file_stream(answer: Answer) -> str | None:
    is_file = answer.has_type("application/pdf", *OTHER_FILES)
    return None if is_file else "it has another content type"


def is_anything(answer: Answer) -> str | None:
    return None
