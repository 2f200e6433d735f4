"""The codes of errors, made by `npm run generate` from the catalogue of Platen."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """The codes that this version of the client knows. A server may send others."""

    # A field is missing, unknown or has an invalid value. `details` lists up to 20 of them.
    VALIDATION_ERROR = "VALIDATION_ERROR"

    # The request body is not valid JSON in UTF-8.
    INVALID_JSON = "INVALID_JSON"

    # The HTTP request itself is malformed: its URL, a header or its framing.
    INVALID_REQUEST = "INVALID_REQUEST"

    # The API key is missing, unknown or revoked.
    UNAUTHORIZED = "UNAUTHORIZED"

    # The API key lacks the required scope, or its owner is disabled.
    FORBIDDEN = "FORBIDDEN"

    # The signature of a file URL is invalid.
    INVALID_SIGNATURE = "INVALID_SIGNATURE"

    # There is no endpoint at this URL.
    NOT_FOUND = "NOT_FOUND"

    # There is no such template, or no such version of it, or it belongs to another owner.
    TEMPLATE_NOT_FOUND = "TEMPLATE_NOT_FOUND"

    # There is no such partial, or no such version of it, or it belongs to another owner.
    PARTIAL_NOT_FOUND = "PARTIAL_NOT_FOUND"

    # There is no such asset, or no such version of it, or it belongs to another owner.
    ASSET_NOT_FOUND = "ASSET_NOT_FOUND"

    # The template has no such label.
    LABEL_NOT_FOUND = "LABEL_NOT_FOUND"

    # There is no such generation, or it belongs to another owner.
    GENERATION_NOT_FOUND = "GENERATION_NOT_FOUND"

    # There is no such batch, or it belongs to another owner.
    BATCH_NOT_FOUND = "BATCH_NOT_FOUND"

    # There is no such delivery, or its generation has no webhook.
    DELIVERY_NOT_FOUND = "DELIVERY_NOT_FOUND"

    # There is no such dead letter. It was sent again or removed, or is older than 30 days.
    DEAD_LETTER_NOT_FOUND = "DEAD_LETTER_NOT_FOUND"

    # The stream does not exist, or has no event with this revision.
    EVENT_NOT_FOUND = "EVENT_NOT_FOUND"

    # There is no such API key, or it belongs to another owner.
    API_KEY_NOT_FOUND = "API_KEY_NOT_FOUND"

    # There is no such owner.
    OWNER_NOT_FOUND = "OWNER_NOT_FOUND"

    # The endpoint does not support this method. The `Allow` header lists the methods it supports.
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"

    # The request was not received completely in time.
    REQUEST_TIMEOUT = "REQUEST_TIMEOUT"

    # The generation or batch has ended, or was cancelled during the wait; there is a partial of
    # this name; or another template has the slug.
    CONFLICT = "CONFLICT"

    # The owner has as many assets, or as many bytes of them, as the deployment allows. Delete some.
    ASSET_LIMIT_EXCEEDED = "ASSET_LIMIT_EXCEEDED"

    # The owner keeps as many bytes of inputs as are allowed (`retain_input`). Erase some, or keep
    # them for fewer days.
    INPUT_LIMIT_EXCEEDED = "INPUT_LIMIT_EXCEEDED"

    # The owner has as many partials as are allowed. Delete some.
    PARTIAL_LIMIT_EXCEEDED = "PARTIAL_LIMIT_EXCEEDED"

    # The signed URL of the file has expired.
    FILE_URL_EXPIRED = "FILE_URL_EXPIRED"

    # The PDF was deleted at the end of its retention.
    FILE_DELETED = "FILE_DELETED"

    # The stored input of the generation was deleted before the generation was rendered.
    INPUT_DELETED = "INPUT_DELETED"

    # An operator has deleted the content of the generation for good, at `details.erased_at`.
    GENERATION_ERASED = "GENERATION_ERASED"

    # The template, asset or file is not the one of `If-Match` or `If-Unmodified-Since`, or
    # `If-None-Match` excludes it.
    PRECONDITION_FAILED = "PRECONDITION_FAILED"

    # The request body, or the template or asset in it, exceeds a size limit.
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"

    # The URL is too long.
    URI_TOO_LONG = "URI_TOO_LONG"

    # A body that is not uncompressed JSON, or an asset whose bytes are of no supported type or not
    # of its `Content-Type`.
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"

    # The file has no bytes in the requested range. The `Content-Range` header has its size.
    RANGE_NOT_SATISFIABLE = "RANGE_NOT_SATISFIABLE"

    # The template cannot be compiled. `details` has the line, the column and an excerpt.
    TEMPLATE_SYNTAX_ERROR = "TEMPLATE_SYNTAX_ERROR"

    # The template cannot be filled with this data. `details` has the line, the column and an
    # excerpt.
    TEMPLATE_RENDER_ERROR = "TEMPLATE_RENDER_ERROR"

    # The template exceeds a limit on its size or nesting.
    TEMPLATE_TOO_COMPLEX = "TEMPLATE_TOO_COMPLEX"

    # The document cannot be printed, or has a warning listed in `fail_on`.
    RENDER_FAILED = "RENDER_FAILED"

    # The document exceeds a limit: its pages, or the size of its HTML, its PDF or its picture.
    RENDER_LIMIT_EXCEEDED = "RENDER_LIMIT_EXCEEDED"

    # A step after the print, or an operation on PDFs, cannot be done: a PDF is encrypted, damaged
    # or lacks what the step needs. `details` has the step and the reason.
    PDF_TOOL_ERROR = "PDF_TOOL_ERROR"

    # To read, change, draw or compare a PDF takes more time or memory than the process has that
    # does it, or has ended it. `details` has the reason.
    PDF_TOO_COMPLEX = "PDF_TOO_COMPLEX"

    # Webhooks are not sent to this URL.
    WEBHOOK_URL_FORBIDDEN = "WEBHOOK_URL_FORBIDDEN"

    # The `Idempotency-Key` was used before with another request body.
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"

    # Too many requests or idempotency keys of this owner, or too many unknown API keys, in a
    # period. Retry after the time in `Retry-After`.
    RATE_LIMITED = "RATE_LIMITED"

    # Too many requests or changes of this owner at the same time. Retry after the time in
    # `Retry-After`.
    CONCURRENCY_LIMIT_EXCEEDED = "CONCURRENCY_LIMIT_EXCEEDED"

    # The request headers are too large.
    HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE"

    # An unexpected error. The server log has the details under the `request_id`.
    INTERNAL_ERROR = "INTERNAL_ERROR"

    # A backing service is unavailable. Retry after the time in `Retry-After`.
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE"

    # Too many generations are waiting, or a synchronous one would wait for too long. Retry after
    # the time in `Retry-After`.
    QUEUE_FULL = "QUEUE_FULL"

    # The object store is unavailable. Retry after the time in `Retry-After`. If `details` has a
    # `poll_url`, the PDF is printed.
    STORAGE_UNAVAILABLE = "STORAGE_UNAVAILABLE"

    # The document took too long, or no renderer could begin it in time. The generation has failed.
    RENDER_TIMEOUT = "RENDER_TIMEOUT"

    # Only the wait has ended: poll `Location`, which is also `details.poll_url`, for the end of the
    # generation. A document that no renderer has begun by then ends with `RENDER_TIMEOUT`, unless
    # its request has an `Idempotency-Key` or `Prefer: wait`.
    WAIT_TIMEOUT = "WAIT_TIMEOUT"

    # The server was not reached, the connection broke, or the response is not HTTP.
    NETWORK_ERROR = "NETWORK_ERROR"

    # The call took longer than its time limit.
    TIMEOUT = "TIMEOUT"

    # The generation was cancelled before it was printed.
    GENERATION_CANCELLED = "GENERATION_CANCELLED"

    # The response is not one of Platen, for example the page of a proxy.
    UNEXPECTED_RESPONSE = "UNEXPECTED_RESPONSE"
