"""The requests of resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from . import _checks as checks
from ._flow import with_key
from ._http import Check, Request


def get(collection: str, name: str) -> Request:
    return Request("GET", _path(collection, name), checks.is_object, is_idempotent=True)


def create(collection: str, body: Mapping[str, Any], key: str | None) -> Request:
    return with_key(Request("POST", f"/v1/{collection}", checks.is_object, json=body), key)


def update(collection: str, name: str, if_match: int | None, body: Mapping[str, Any]) -> Request:
    return Request(
        "PATCH",
        _path(collection, name),
        checks.is_object,
        headers=_if_match(if_match),
        json=body,
    )


def delete(collection: str, name: str, if_match: int | None, check: Check) -> Request:
    return Request("DELETE", _path(collection, name), check, headers=_if_match(if_match))


def cancel_batch(id: str) -> Request:
    return Request("POST", f"{_path('batches', id)}/cancel", checks.is_object)


def retry(id: str, key: str | None) -> Request:
    request = Request("POST", f"{_path('generations', id)}/retry", checks.is_generation)
    return with_key(request, key)


def erase(id: str) -> Request:
    return Request("DELETE", f"{_path('generations', id)}/content", checks.is_object)


def put_asset(name: str, content: bytes, if_match: int | None) -> Request:
    return Request(
        "PUT",
        _path("assets", name),
        checks.is_object,
        headers={"content-type": "application/octet-stream", **_if_match(if_match)},
        content=content,
    )


def preview(body: Mapping[str, Any]) -> Request:
    accept = {"accept": "application/pdf, image/png"}
    return Request("POST", "/v1/preview", checks.is_preview, headers=accept, json=body)


def webhook_secret() -> Request:
    return Request("GET", "/v1/webhook-secret", checks.is_object, is_idempotent=True)


def page(collection: str, filter: Mapping[str, Any], cursor: str | None) -> Request:
    """A page of a list. `metadata` of the filter is a mapping."""
    params = {name: value for name, value in filter.items() if name != "metadata"}
    metadata = filter.get("metadata", {})
    params |= {f"metadata.{name}": value for name, value in metadata.items()}
    if cursor is not None:
        params["cursor"] = cursor
    return Request("GET", f"/v1/{collection}", checks.is_page, params=params, is_idempotent=True)


def file(source: str, headers: Mapping[str, str]) -> Request:
    """`source` is the id of a generation or a signed URL, which needs no API key."""
    is_id = source.startswith("pdf_")
    return Request(
        "GET",
        f"{_path('generations', source)}/file" if is_id else source,
        checks.is_file_stream,
        headers={"accept": "application/pdf", **headers},
        is_file=True,
        has_key=is_id,
        is_idempotent=True,
    )


def _path(collection: str, name: str) -> str:
    return f"/v1/{collection}/{quote(name, safe='')}"


def _if_match(version: int | None) -> dict[str, str]:
    return {} if version is None else {"if-match": f'"{version}"'}
