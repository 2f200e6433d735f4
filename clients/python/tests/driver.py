"""Makes the calls of clients/behaviour, for test/support/clients/driver.ts.

Each line of the input is a call, and each line of the output is what has come of it. With
the argument `async`, the client for asyncio makes them.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

import platen
from platen import AsyncPlaten, Platen, PlatenError, WebhookVerificationError, verify_webhook

Order = dict[str, Any]

LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=0)


def run(order: Order, http: httpx.Client) -> Any:
    client = Platen(order["url"], order["key"], http_client=http, **client_options(order))
    call, fields, options = order["call"], dict(order["input"]), call_options(order)
    match call:
        case "generate" | "generate_async" | "generate_and_wait":
            return getattr(client, call)(**fields, **options)
        case "generate_pdf":
            return pdf(client.generate_pdf(**fields, **options))
        case "wait_for":
            return client.wait_for(fields["id"], **options)
        case "file":
            with client.file(source(fields), **options) as file:
                return {"name": file.name, **content(file.read())}
        case "save_file":
            path = Path(order["folder"], "saved.pdf")
            client.save_file(source(fields), path, **options)
            return saved(path)
        case "list_generations":
            take = fields.pop("take", sys.maxsize)
            return ids(zip(client.generations.list(**fields), range(take), strict=False))
        case "list_templates":
            take = fields.pop("take", sys.maxsize)
            return ids(zip(client.templates.list(**fields), range(take), strict=False))
        case "list_batches":
            take = fields.pop("take", sys.maxsize)
            return ids(zip(client.batches.list(**fields), range(take), strict=False))
        case "create_batch":
            return client.batches.create(**fields, **options)
        case "get_batch":
            return client.batches.get(fields["id"])
        case "cancel_batch":
            return client.batches.cancel(fields["id"])
        case "create_template":
            return client.templates.create(**fields)
        case "get_template":
            return client.templates.get(fields["id"])
        case "update_template":
            return client.templates.update(fields.pop("id"), **fields)
        case "delete_template":
            return client.templates.delete(fields["id"])
        case "put_asset":
            return client.assets.put(fields["name"], asset(fields))
        case "preview":
            return content(client.preview(**fields))
        case "webhook_secret":
            return {"secret": client.webhook_secret()}
        case "verify_webhook":
            return verify_webhook(**fields)
    raise ValueError(f"there is no call {call}")


async def run_async(order: Order, http: httpx.AsyncClient) -> Any:
    client = AsyncPlaten(order["url"], order["key"], http_client=http, **client_options(order))
    call, fields, options = order["call"], dict(order["input"]), call_options(order)
    match call:
        case "generate" | "generate_async" | "generate_and_wait":
            return await getattr(client, call)(**fields, **options)
        case "generate_pdf":
            return pdf(await client.generate_pdf(**fields, **options))
        case "wait_for":
            return await client.wait_for(fields["id"], **options)
        case "file":
            async with client.file(source(fields), **options) as file:
                return {"name": file.name, **content(await file.read())}
        case "save_file":
            path = Path(order["folder"], "saved.pdf")
            await client.save_file(source(fields), path, **options)
            return saved(path)
        case "list_generations" | "list_templates" | "list_batches":
            take = fields.pop("take", sys.maxsize)
            found: list[str] = []
            lists: Any = getattr(client, call.removeprefix("list_"))
            async for item in lists.list(**fields):
                found.append(item["id"])
                if len(found) >= take:
                    break
            return {"ids": found}
        case "create_batch":
            return await client.batches.create(**fields, **options)
        case "get_batch":
            return await client.batches.get(fields["id"])
        case "cancel_batch":
            return await client.batches.cancel(fields["id"])
        case "create_template":
            return await client.templates.create(**fields)
        case "get_template":
            return await client.templates.get(fields["id"])
        case "update_template":
            return await client.templates.update(fields.pop("id"), **fields)
        case "delete_template":
            return await client.templates.delete(fields["id"])
        case "put_asset":
            return await client.assets.put(fields["name"], asset(fields))
        case "preview":
            return content(await client.preview(**fields))
        case "webhook_secret":
            return {"secret": await client.webhook_secret()}
        case "verify_webhook":
            return verify_webhook(**fields)
    raise ValueError(f"there is no call {call}")


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


def pdf(printed: platen.PrintedPdf) -> dict[str, Any]:
    facts = {"id": printed.id, "pages": printed.pages, "warnings": printed.warnings}
    return {**facts, **content(printed.content)}


def content(data: bytes) -> dict[str, Any]:
    whole = data.startswith(b"%PDF-") and data.endswith(b"\n%%EOF\n")
    return {"size": len(data), "start": data[:5].decode("latin-1"), "whole": whole}


def saved(path: Path) -> dict[str, Any]:
    return {**content(path.read_bytes()), "files": os.listdir(path.parent)}


def ids(items: Any) -> dict[str, list[str]]:
    return {"ids": [item["id"] for item, _ in items]}


def failed(error: Exception) -> dict[str, Any]:
    if isinstance(error, WebhookVerificationError):
        return {"code": "WebhookVerificationError"}
    if not isinstance(error, PlatenError):
        return {"code": repr(error)}
    names = ["code", "message", "status", "request_id", "generation_id", "generation_status"]
    fields = {name: getattr(error, name) for name in names}
    return {**fields, "details": error.details, "class": type(error).__name__}


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
                report(order, {"result": run(order, http)})
            except Exception as error:
                report(order, {"error": failed(error)})

        for line in sys.stdin:
            pool.submit(carry_out, json.loads(line))


async def main_async() -> None:
    async with httpx.AsyncClient(limits=LIMITS) as http, asyncio.TaskGroup() as tasks:

        async def carry_out(order: Order) -> None:
            try:
                report(order, {"result": await run_async(order, http)})
            except Exception as error:
                report(order, {"error": failed(error)})

        while line := await asyncio.to_thread(sys.stdin.readline):
            tasks.create_task(carry_out(json.loads(line)))


if __name__ == "__main__":
    if sys.argv[1:] == ["async"]:
        asyncio.run(main_async())
    else:
        main()
