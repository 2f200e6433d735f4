import type { ErrorCode } from './error-catalogue.ts'

/** What a client, or the operator, does about each error: the third column of docs/reference/errors.md. In Markdown. */
export const errorCures: Record<ErrorCode, string> = {
  VALIDATION_ERROR:
    'Correct the fields in `details`. Of data that does not match the `data_schema` of the template, up to 20 problems are there.',
  INVALID_JSON: 'Send JSON in UTF-8; the message says what is wrong.',
  INVALID_REQUEST: 'Look at what your HTTP client sends: the message names the part that is wrong.',
  UNAUTHORIZED: 'Send `Authorization: Bearer pk_…`. [Issue another key](../operate/api-keys.md) if it was revoked.',
  FORBIDDEN: 'Use a key with the scope that the message names.',
  INVALID_SIGNATURE: 'Use the URL unchanged, or get a new one from `GET /v1/generations/<id>`.',
  NOT_FOUND: 'Compare the path with [openapi.json](../openapi.json).',
  TEMPLATE_NOT_FOUND: 'List templates with a key of the same owner: `GET /v1/templates?summary=true`.',
  PARTIAL_NOT_FOUND: 'List partials with a key of the same owner: `GET /v1/partials?summary=true`.',
  ASSET_NOT_FOUND: 'List assets with a key of the same owner: `GET /v1/assets`.',
  LABEL_NOT_FOUND: 'Use one of the labels that the message names, or [set it](../guides/versions-and-labels.md).',
  GENERATION_NOT_FOUND: 'Use a key of the owner that requested it, with the scope `generations:read`.',
  BATCH_NOT_FOUND: 'Use a key of the owner that requested it, with the scope `generations:read`.',
  DELIVERY_NOT_FOUND: 'Look at `GET /v1/generations/<id>/deliveries`: only requests with a `webhook_url` have one.',
  DEAD_LETTER_NOT_FOUND: 'List the dead letters: `GET /v1/dead-letters`, or `platen dead-letters list`.',
  EVENT_NOT_FOUND: 'List the events of the stream: `GET /v1/streams/<stream>/events`, or `platen stream <stream>`.',
  API_KEY_NOT_FOUND: 'List the keys of the owner: `GET /v1/keys`, or `platen keys list`.',
  OWNER_NOT_FOUND: 'List the owners: `GET /v1/owners`, or `platen owners list`.',
  METHOD_NOT_ALLOWED: 'Use a method of the header `Allow`.',
  REQUEST_TIMEOUT: 'Send the request again; look for a slow or broken connection or proxy.',
  CONFLICT: 'Read the current state, and decide again. The message says which of these it is.',
  ASSET_LIMIT_EXCEEDED: 'Delete assets that no template uses, or raise `ASSET_TOTAL_MB`.',
  INPUT_LIMIT_EXCEEDED: 'Erase content that is not needed, or [keep inputs](../guides/retain-input.md) for fewer days.',
  PARTIAL_LIMIT_EXCEEDED: 'Delete partials that no template uses: `GET /v1/partials/<name>/usage`.',
  FILE_URL_EXPIRED: 'Get a new URL from `GET /v1/generations/<id>`.',
  FILE_DELETED: 'Generate the document again. The operator sets `PDF_RETENTION_DAYS`.',
  INPUT_DELETED: 'Send the request again. The operator sets `INPUT_RETENTION_DAYS`.',
  GENERATION_ERASED: 'The document cannot come back. Generate another one if you may.',
  PRECONDITION_FAILED: 'Read it again, apply your change to what is there now, and send that with its `ETag`.',
  PAYLOAD_TOO_LARGE: 'Store pictures and fonts as [assets](../guides/assets.md), and send less data.',
  URI_TOO_LONG: 'Send long values in the body.',
  UNSUPPORTED_MEDIA_TYPE:
    'Send `Content-Type: application/json` without `Content-Encoding`; for an asset, the type of its bytes.',
  RANGE_NOT_SATISFIABLE: 'Ask for a range within the size in `Content-Range`, or for the whole file.',
  TEMPLATE_SYNTAX_ERROR: 'Correct the source at the line and column.',
  TEMPLATE_RENDER_ERROR:
    'Correct the data, or the expression at the line and column. [Missing values](../guides/data-checks.md#missing-values).',
  TEMPLATE_TOO_COMPLEX: 'Make the source, its partials or its `data_schema` smaller: the message names the limit.',
  RENDER_FAILED:
    'Read the message, and `details.warnings` with `fail_on`. A document that crashes its page needs too much memory: split long tables, shrink pictures.',
  RENDER_LIMIT_EXCEEDED:
    'Split the document. An operator may raise `RENDER_MAX_PAGES` or `RENDER_MAX_PDF_BYTES`. A comparison of pages has [limits](../guides/compare-pages.md).',
  PDF_TOOL_ERROR: 'Read the message and `details.reason`. [After the print](../guides/after-the-print.md).',
  PDF_TOO_COMPLEX:
    'Use fewer or smaller pages and pictures. An operator may raise `RENDER_DOCUMENT_MEMORY_MB` and `RENDER_TIMEOUT_MS`, and the memory of the container.',
  WEBHOOK_URL_FORBIDDEN:
    'Use a public host and no port of another protocol. For development: `WEBHOOK_ALLOW_PRIVATE=true`.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for another request. [Retry safely](../guides/retry-safely.md).',
  RATE_LIMITED: 'Wait for `Retry-After`. [Troubleshooting](../operate/troubleshooting.md) has the limits.',
  CONCURRENCY_LIMIT_EXCEEDED:
    'Wait for `Retry-After`, and send fewer requests at the same time. [Troubleshooting](../operate/troubleshooting.md) has the limits.',
  HEADERS_TOO_LARGE: 'Send fewer headers; look at cookies.',
  INTERNAL_ERROR: 'Report it, with the `err` of the log at `request failed: internal error`.',
  SERVICE_UNAVAILABLE:
    'Retry. The operator: `/readyz` names what does not answer; [PlatenIsNotReady](../operate/runbooks/PlatenIsNotReady.md).',
  QUEUE_FULL: 'Retry later. The operator: [PlatenQueueIsOld](../operate/runbooks/PlatenQueueIsOld.md).',
  STORAGE_UNAVAILABLE: 'Poll the `poll_url` if there is one, else retry. The operator: look at the object store.',
  RENDER_TIMEOUT:
    'See what the document waits for: slow URLs, `wait_for`, endless scripts. Use `async`, or raise `RENDER_TIMEOUT_MS`; if renderers are busy, add some.',
  WAIT_TIMEOUT: 'Poll for the result. Use `async` for large documents.',
}
