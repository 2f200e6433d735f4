"""Makes the calls of clients/behaviour, for test/support/clients/driver.ts.

Each line of the input is a call, and each line of the output is what has come of it. With
the argument `async`, the client for asyncio makes them.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import async_calls
import httpx
import sync_calls
from orders import Order, failed

LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=0)


def report(order: Order, outcome: dict[str, Any]) -> None:
    if order["call"] == "save_file":
        outcome["files"] = os.listdir(order["folder"])
    with lock:
        print(json.dumps({"id": order["id"], **outcome}), flush=True)


lock = threading.Lock()


def main() -> None:
    with ThreadPoolExecutor(max_workers=200) as pool, httpx.Client(limits=LIMITS) as http:

        def carry_out(order: Order) -> None:
            try:
                report(order, {"result": sync_calls.run(order, http)})
            except Exception as error:
                report(order, {"error": failed(error)})

        for line in sys.stdin:
            pool.submit(carry_out, json.loads(line))


async def main_async() -> None:
    async with httpx.AsyncClient(limits=LIMITS) as http, asyncio.TaskGroup() as tasks:

        async def carry_out(order: Order) -> None:
            try:
                report(order, {"result": await async_calls.run(order, http)})
            except Exception as error:
                report(order, {"error": failed(error)})

        while line := await asyncio.to_thread(sys.stdin.readline):
            tasks.create_task(carry_out(json.loads(line)))


if __name__ == "__main__":
    if sys.argv[1:] == ["async"]:
        asyncio.run(main_async())
    else:
        main()
