"""The resources of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator
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
from .connection import AsyncConnection


class _Resource:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def _items(self, pages: Pages) -> AsyncIterator[Any]:
        while not pages.is_done:
            page = await self._connection.json(pages.request())
            for item in pages.items(page):
                yield item


class AsyncGenerations(_Resource):
    def list(self, **filter: Unpack[GenerationFilter]) -> AsyncIterator[Generation]:
        """All of them, newest first. A page is requested when it is needed."""
        return self._items(Pages("generations", filter))

    async def get(self, id: str) -> Generation:
        return cast(Generation, await self._connection.json(requests.get("generations", id)))

    async def cancel(self, id: str) -> Generation:
        request = requests.delete("generations", id, None, checks.is_generation)
        return cast(Generation, await self._connection.json(request))

    async def retry(self, id: str, *, idempotency_key: str | None = None) -> Generation:
        """Renders the document again, as a new generation.

        Raises `Conflict` if its input is not stored.
        """
        request = requests.retry(id, idempotency_key)
        return cast(Generation, await self._connection.json(request))

    async def erase(self, id: str) -> Erasure:
        """Deletes the PDF and the stored input for good."""
        return cast(Erasure, await self._connection.json(requests.erase(id)))


class AsyncTemplates(_Resource):
    def list(self, **filter: Unpack[SummaryFilter]) -> AsyncIterator[ListedTemplate]:
        """All of them. A page is requested when it is needed."""
        return self._items(Pages("templates", filter))

    async def create(
        self,
        *,
        idempotency_key: str | None = None,
        **template: Unpack[CreateTemplateRequest],
    ) -> Template:
        request = requests.create("templates", template, idempotency_key)
        return cast(Template, await self._connection.json(request))

    async def get(self, id_or_slug: str) -> Template:
        return cast(Template, await self._connection.json(requests.get("templates", id_or_slug)))

    async def update(
        self,
        id_or_slug: str,
        *,
        if_match: int | None = None,
        **changes: Unpack[UpdateTemplateRequest],
    ) -> Template:
        """Raises `Conflict` if the template is at another version than `if_match`."""
        request = requests.update("templates", id_or_slug, if_match, changes)
        return cast(Template, await self._connection.json(request))

    async def delete(self, id_or_slug: str, *, if_match: int | None = None) -> None:
        request = requests.delete("templates", id_or_slug, if_match, checks.is_anything)
        await self._connection.send(request)


class AsyncPartials(_Resource):
    def list(self, **filter: Unpack[SummaryFilter]) -> AsyncIterator[ListedPartial]:
        """All of them. A page is requested when it is needed."""
        return self._items(Pages("partials", filter))

    async def create(self, name: str, html: str, *, idempotency_key: str | None = None) -> Partial:
        body = {"name": name, "html": html}
        request = requests.create("partials", body, idempotency_key)
        return cast(Partial, await self._connection.json(request))

    async def get(self, id_or_name: str) -> Partial:
        return cast(Partial, await self._connection.json(requests.get("partials", id_or_name)))

    async def update(self, id_or_name: str, html: str, *, if_match: int | None = None) -> Partial:
        """Raises `Conflict` if the partial is at another version than `if_match`."""
        request = requests.update("partials", id_or_name, if_match, {"html": html})
        return cast(Partial, await self._connection.json(request))

    async def delete(self, id_or_name: str, *, if_match: int | None = None) -> None:
        request = requests.delete("partials", id_or_name, if_match, checks.is_object)
        await self._connection.send(request)


class AsyncAssets(_Resource):
    def list(self, **filter: Unpack[ListFilter]) -> AsyncIterator[Asset]:
        """All of them. A page is requested when it is needed."""
        return self._items(Pages("assets", filter))

    async def get(self, name: str) -> Asset:
        return cast(Asset, await self._connection.json(requests.get("assets", name)))

    async def put(self, name: str, content: bytes, *, if_match: int | None = None) -> Asset:
        """Stores a picture, font or style sheet, which documents use as `asset:<name>`."""
        request = requests.put_asset(name, content, if_match)
        return cast(Asset, await self._connection.json(request))

    async def delete(self, name: str, *, if_match: int | None = None) -> None:
        request = requests.delete("assets", name, if_match, checks.is_anything)
        await self._connection.send(request)


class AsyncBatches(_Resource):
    def list(self, **filter: Unpack[ListFilter]) -> AsyncIterator[Batch]:
        """All of them, newest first. A page is requested when it is needed."""
        return self._items(Pages("batches", filter))

    async def create(
        self,
        *,
        idempotency_key: str | None = None,
        **batch: Unpack[BatchRequest],
    ) -> Batch:
        """Requests up to 1,000 documents."""
        request = requests.create("batches", batch, idempotency_key)
        return cast(Batch, await self._connection.json(request))

    async def get(self, id: str) -> Batch:
        return cast(Batch, await self._connection.json(requests.get("batches", id)))

    async def cancel(self, id: str) -> Batch:
        """Items that have begun stay as they are."""
        return cast(Batch, await self._connection.json(requests.cancel_batch(id)))
