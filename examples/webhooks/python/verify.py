# Verifies a webhook. Python 3.9 or newer; no packages.
import base64, hashlib, hmac, os, sys, time

TOLERANCE_S = 5 * 60


def verify_webhook(secret: str, headers: dict, body: bytes) -> bool:
    """secret: whsec_…; body: as it was received. False for a webhook that is not Platen's, or is old."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # Two while the secret is rotated.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


# For a try: verify.py <id> <timestamp> <signature> < body
if __name__ == "__main__":
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    valid = verify_webhook(os.environ["WEBHOOK_SECRET"], dict(zip(names, sys.argv[1:])), sys.stdin.buffer.read())
    print("valid" if valid else "refused")
