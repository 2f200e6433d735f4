"""A client of Platen: HTML and templates in, PDF files out."""

from ._async_client import AsyncPlaten
from ._client import Platen
from ._files import AsyncPdfFile, PdfFile
from ._generations import PrintedPdf
from ._session import __version__
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
