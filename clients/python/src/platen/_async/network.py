"""What takes time in asyncio. The client that blocks has another file with the same names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO

import httpx

from .._flow import Deadline
from ..errors import CallTimeout, call_timeout

sleep = asyncio.sleep


async def write(file: BinaryIO, part: bytes) -> None:
    await asyncio.to_thread(file.write, part)


def open_client(client: httpx.AsyncClient | None) -> httpx.AsyncClient:
    """The client that a caller has passed, or a new one."""
    return httpx.AsyncClient() if client is None else client


@asynccontextmanager
async def within(deadline: Deadline) -> AsyncIterator[None]:
    """What is sent and received in the block ends with the deadline, as a `CallTimeout`."""
    try:
        async with asyncio.timeout(deadline.remaining()):
            yield
    except CallTimeout:
        raise
    except (httpx.TimeoutException, TimeoutError) as error:
        raise call_timeout(deadline.seconds) from error
