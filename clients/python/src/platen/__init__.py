"""A client of Platen: HTML and templates in, PDF files out."""

from ._async.client import AsyncPlaten
from ._async.files import AsyncPdfFile
from ._generations import PrintedPdf
from ._session import __version__
from ._sync.client import Platen
from ._sync.files import PdfFile
from .error_codes import ErrorCode
from .errors import (
    ApiError,
    CallTimeout,
    Conflict,
    GenerationFailed,
    InvalidRequest,
    NetworkError,
    NotFound,
    PermissionDenied,
    PlatenError,
    RateLimited,
    ServerError,
    UnexpectedResponse,
    WebhookVerificationError,
)
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AsyncPdfFile",
    "AsyncPlaten",
    "CallTimeout",
    "Conflict",
    "ErrorCode",
    "GenerationFailed",
    "InvalidRequest",
    "NetworkError",
    "NotFound",
    "PdfFile",
    "PermissionDenied",
    "Platen",
    "PlatenError",
    "PrintedPdf",
    "RateLimited",
    "ServerError",
    "UnexpectedResponse",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
