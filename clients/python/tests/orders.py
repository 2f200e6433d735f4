"""What a call is made of, and what is told of its outcome."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

from platen import PlatenError, PrintedPdf, WebhookVerificationError

Order = dict[str, Any]


def client_options(order: Order) -> dict[str, Any]:
    return chosen(order, "retries")


def call_options(order: Order) -> dict[str, Any]:
    return chosen(order, "idempotency_key")


def chosen(order: Order, option: str) -> dict[str, Any]:
    """The time limit, in seconds, and the option, if the order has them."""
    options = order.get("options", {})
    taken = {option: options[option]} if option in options else {}
    if "timeout_ms" in options:
        taken["timeout"] = options["timeout_ms"] / 1000
    return taken


def source(fields: dict[str, Any]) -> str:
    return str(fields.get("url") or fields["id"])


def asset(fields: dict[str, Any]) -> bytes:
    text: str | None = fields.get("text")
    return base64.b64decode(fields["base64"]) if text is None else text.encode()


def pdf(printed: PrintedPdf) -> dict[str, Any]:
    facts = {"id": printed.id, "pages": printed.pages, "warnings": printed.warnings}
    return {**facts, **content(printed.content)}


def content(data: bytes) -> dict[str, Any]:
    whole = data.startswith(b"%PDF-") and data.endswith(b"\n%%EOF\n")
    return {"size": len(data), "start": data[:5].decode("latin-1"), "whole": whole}


def saved(path: Path) -> dict[str, Any]:
    return {**content(path.read_bytes()), "files": os.listdir(path.parent)}


def failed(error: Exception) -> dict[str, Any]:
    if isinstance(error, WebhookVerificationError):
        return {"code": "WebhookVerificationError"}
    if not isinstance(error, PlatenError):
        return {"code": repr(error)}
    names = ["code", "message", "status", "request_id", "generation_id", "generation_status"]
    fields = {name: getattr(error, name) for name in names}
    return {**fields, "details": error.details, "class": type(error).__name__}
