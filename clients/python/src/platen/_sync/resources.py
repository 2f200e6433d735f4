# Made by `npm run generate` from _async/resources.py. Edit that file.
"""The resources of the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack, cast

from .. import _checks as checks
from .. import _requests as requests
from .._pages import GenerationFilter, ListFilter, Pages, SummaryFilter
from ..types import (
    Asset,
    Batch,
    BatchRequest,
    CreateTemplateRequest,
    Erasure,
    Generation,
    ListedPartial,
    ListedTemplate,
    Partial,
    Template,
    UpdateTemplateRequest,
)
from .connection import Connection


class _Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _items(self, pages: Pages) -> Iterator[Any]:
        while not pages.is_done:
            page = self._connection.json(pages.request())
            yield from pages.items(page)


class Generations(_Resource):
    def list(self, **filter: Unpack[GenerationFilter]) -> Iterator[Generation]:
        """All of them, newest first. A page is requested when it is needed."""
        return self._items(Pages("generations", filter))

    def get(self, id: str) -> Generation:
        return cast(Generation, self._connection.json(requests.get("generations", id)))

    def cancel(self, id: str) -> Generation:
        request = requests.delete("generations", id, None, checks.is_generation)
        return cast(Generation, self._connection.json(request))

    def retry(self, id: str, *, idempotency_key: str | None = None) -> Generation:
        """Renders the document again, as a new generation.

        Raises `Conflict` if its input is not stored.
        """
        request = requests.retry(id, idempotency_key)
        return cast(Generation, self._connection.json(request))

    def erase(self, id: str) -> Erasure:
        """Deletes the PDF and the stored input for good."""
        return cast(Erasure, self._connection.json(requests.erase(id)))


class Templates(_Resource):
    def list(self, **filter: Unpack[SummaryFilter]) -> Iterator[ListedTemplate]:
        """All of them. A page is requested when it is needed."""
        return self._items(Pages("templates", filter))

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        **template: Unpack[CreateTemplateRequest],
    ) -> Template:
        request = requests.create("templates", template, idempotency_key)
        return cast(Template, self._connection.json(request))

    def get(self, id_or_slug: str) -> Template:
        return cast(Template, self._connection.json(requests.get("templates", id_or_slug)))

    def update(
        self,
        id_or_slug: str,
        *,
        if_match: int | None = None,
        **changes: Unpack[UpdateTemplateRequest],
    ) -> Template:
        """Raises `Conflict` if the template is at another version than `if_match`."""
        request = requests.update("templates", id_or_slug, if_match, changes)
        return cast(Template, self._connection.json(request))

    def delete(self, id_or_slug: str, *, if_match: int | None = None) -> None:
        request = requests.delete("templates", id_or_slug, if_match, checks.is_anything)
        self._connection.send(request)


class Partials(_Resource):
    def list(self, **filter: Unpack[SummaryFilter]) -> Iterator[ListedPartial]:
        """All of them. A page is requested when it is needed."""
        return self._items(Pages("partials", filter))

    def create(self, name: str, html: str, *, idempotency_key: str | None = None) -> Partial:
        body = {"name": name, "html": html}
        request = requests.create("partials", body, idempotency_key)
        return cast(Partial, self._connection.json(request))

    def get(self, id_or_name: str) -> Partial:
        return cast(Partial, self._connection.json(requests.get("partials", id_or_name)))

    def update(self, id_or_name: str, html: str, *, if_match: int | None = None) -> Partial:
        """Raises `Conflict` if the partial is at another version than `if_match`."""
        request = requests.update("partials", id_or_name, if_match, {"html": html})
        return cast(Partial, self._connection.json(request))

    def delete(self, id_or_name: str, *, if_match: int | None = None) -> None:
        request = requests.delete("partials", id_or_name, if_match, checks.is_object)
        self._connection.send(request)


class Assets(_Resource):
    def list(self, **filter: Unpack[ListFilter]) -> Iterator[Asset]:
        """All of them. A page is requested when it is needed."""
        return self._items(Pages("assets", filter))

    def get(self, name: str) -> Asset:
        return cast(Asset, self._connection.json(requests.get("assets", name)))

    def put(self, name: str, content: bytes, *, if_match: int | None = None) -> Asset:
        """Stores a picture, font or style sheet, which documents use as `asset:<name>`."""
        request = requests.put_asset(name, content, if_match)
        return cast(Asset, self._connection.json(request))

    def delete(self, name: str, *, if_match: int | None = None) -> None:
        request = requests.delete("assets", name, if_match, checks.is_anything)
        self._connection.send(request)


class Batches(_Resource):
    def list(self, **filter: Unpack[ListFilter]) -> Iterator[Batch]:
        """All of them, newest first. A page is requested when it is needed."""
        return self._items(Pages("batches", filter))

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        **batch: Unpack[BatchRequest],
    ) -> Batch:
        """Requests up to 1,000 documents."""
        request = requests.create("batches", batch, idempotency_key)
        return cast(Batch, self._connection.json(request))

    def get(self, id: str) -> Batch:
        return cast(Batch, self._connection.json(requests.get("batches", id)))

    def cancel(self, id: str) -> Batch:
        """Items that have begun stay as they are."""
        return cast(Batch, self._connection.json(requests.cancel_batch(id)))
