"""Lists, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from . import _requests as requests
from ._http import Request
from .error_codes import ErrorCode
from .errors import UnexpectedResponse


class ListFilter(TypedDict, total=False):
    """What a list is limited to. `limit` is the size of a page, not of the list."""

    limit: int
    owner: str


class SummaryFilter(ListFilter, total=False):
    summary: bool
    """Without sources."""


class GenerationFilter(ListFilter, total=False):
    status: str
    """A `GenerationStatus`, or several with commas between."""
    template: str
    """An id or a slug."""
    template_version: int
    api_key_id: str
    error_code: str
    warnings: bool
    """Whether they have warnings."""
    q: str
    """A part of the file name, or the beginning of an id."""
    created_after: str
    """A time of RFC 3339, or a date."""
    created_before: str
    metadata: Mapping[str, str]
    """All of these entries."""


Collection = Literal["generations", "templates", "partials", "assets", "batches"]


class Pages:
    """The requests of a list, from page to page."""

    def __init__(self, collection: Collection, filter: Mapping[str, Any]) -> None:
        self._collection = collection
        self._filter = filter
        self._cursor: str | None = None
        self.is_done = False

    def request(self) -> Request:
        return requests.page(self._collection, self._filter, self._cursor)

    def items(self, page: dict[str, Any]) -> list[Any]:
        """The items of a page that has arrived."""
        cursor = page.get("next_cursor")
        self.is_done = cursor is None
        # A cache that ignores the query would make the loop endless.
        if cursor is not None and cursor == self._cursor:
            message = "The response is not one of Platen: it is the same page again"
            raise UnexpectedResponse(ErrorCode.UNEXPECTED_RESPONSE, message, status=200)
        self._cursor = cursor
        items: list[Any] = page["data"]
        return items
