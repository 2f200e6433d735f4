"""Webhooks are signed as Standard Webhooks 1.0.0 has it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import cast

from .errors import WebhookVerificationError
from .types import GenerationWebhook

__all__ = ["verify_webhook"]


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = 300,
) -> GenerationWebhook:
    """Verifies the signature and the time of a webhook, and returns it.

    `body` is the request body as it was received, not parsed. `secrets` is `whsec_…`, or
    several while a secret is rotated. `tolerance` is how far the time of the webhook may
    be from that of this machine, in seconds.

    Raises `WebhookVerificationError`, and `ValueError` if a secret is malformed.
    """
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    sent = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (
        _required(sent, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not re.fullmatch(r"\d{1,12}", timestamp, re.ASCII):
        raise _refused("webhook-timestamp is not a number of seconds")
    age = time.time() - int(timestamp)
    if abs(age) > tolerance:
        side = "old" if age > 0 else "ahead"
        raise _refused(f"webhook-timestamp is more than {tolerance:g} s {side}")

    content = body.encode() if isinstance(body, str) else body
    signed = f"{id}.{timestamp}.".encode() + content
    expected = [hmac.digest(key, signed, hashlib.sha256) for key in keys]
    if not any(
        hmac.compare_digest(signature, digest)
        for signature in _signatures(signatures)
        for digest in expected
    ):
        raise _refused("no signature is of the given secret")
    return cast(GenerationWebhook, json.loads(content))


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        raise _refused(f"the header {name} is missing")
    return value


def _signatures(header: str) -> Iterable[bytes]:
    """The signatures of a header such as `v1,K5oZ… v1,9pj2…`."""
    for signature in header.split(" "):
        version, _, encoded = signature.partition(",")
        if version == "v1":
            try:
                yield base64.b64decode(encoded, validate=True)
            except ValueError:
                continue


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("A webhook secret must be whsec_ and base64")
    return key


def _refused(reason: str) -> WebhookVerificationError:
    return WebhookVerificationError(f"The webhook is not accepted: {reason}")
