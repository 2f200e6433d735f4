# Made by `npm run generate` from async_calls.py. Edit that file.
"""The calls of clients/behaviour, made with the client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from orders import Order, asset, call_options, client_options, content, pdf, saved, source

from platen import Platen, verify_webhook


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
            return ids(fields.pop("take", None), client.generations.list(**fields))
        case "list_templates":
            return ids(fields.pop("take", None), client.templates.list(**fields))
        case "list_batches":
            return ids(fields.pop("take", None), client.batches.list(**fields))
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


def ids(take: int | None, items: Iterator[Any]) -> dict[str, list[str]]:
    """The ids of the first items. The pages of the others are not requested."""
    taken: list[str] = []
    for item in items:
        taken.append(item["id"])
        if len(taken) == take:
            break
    return {"ids": taken}
