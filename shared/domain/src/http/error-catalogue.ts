export interface ErrorCodeEntry {
  /** HTTP status. */
  status: number
  description: string
  example: { message: string; details?: unknown }
}

const id = 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'

const entries = {
  VALIDATION_ERROR: {
    status: 400,
    description: 'A field is missing, unknown or has an invalid value. `details` lists up to 20 of them.',
    example: {
      message: 'options.margin.top must be a number',
      details: [{ path: 'options.margin.top', message: 'must be a number' }],
    },
  },
  INVALID_JSON: {
    status: 400,
    description: 'The request body is not valid JSON in UTF-8.',
    example: { message: 'The request body is not valid JSON: Unexpected end of JSON input' },
  },
  INVALID_REQUEST: {
    status: 400,
    description: 'The HTTP request itself is malformed: its URL, a header or its framing.',
    example: { message: 'The HTTP request is malformed' },
  },
  UNAUTHORIZED: {
    status: 401,
    description: 'The API key is missing, unknown or revoked.',
    example: { message: 'The API key is unknown or revoked' },
  },
  FORBIDDEN: {
    status: 403,
    description: 'The API key lacks the required scope, or its owner is disabled.',
    example: { message: 'The API key lacks the scope templates:write' },
  },
  INVALID_SIGNATURE: {
    status: 403,
    description: 'The signature of a file URL is invalid.',
    example: { message: 'The signature of this URL is invalid; use the url of the generation unchanged' },
  },
  NOT_FOUND: {
    status: 404,
    description: 'There is no endpoint at this URL.',
    example: { message: 'There is no endpoint at this URL; see /openapi.json for the API' },
  },
  TEMPLATE_NOT_FOUND: {
    status: 404,
    description: 'There is no such template, or no such version of it, or it belongs to another owner.',
    example: { message: 'Template monthly-invoice does not exist' },
  },
  PARTIAL_NOT_FOUND: {
    status: 404,
    description: 'There is no such partial, or no such version of it, or it belongs to another owner.',
    example: { message: 'Partial letterhead does not exist' },
  },
  ASSET_NOT_FOUND: {
    status: 404,
    description: 'There is no such asset, or no such version of it, or it belongs to another owner.',
    example: { message: 'Asset logo.svg does not exist' },
  },
  LABEL_NOT_FOUND: {
    status: 404,
    description: 'The template has no such label.',
    example: { message: 'Template monthly-invoice has no label published; it has draft' },
  },
  GENERATION_NOT_FOUND: {
    status: 404,
    description: 'There is no such generation, or it belongs to another owner.',
    example: { message: `Generation ${id} does not exist` },
  },
  BATCH_NOT_FOUND: {
    status: 404,
    description: 'There is no such batch, or it belongs to another owner.',
    example: { message: 'Batch bat_01k9x2v7w3d5e8f0g2h4j6k8m0 does not exist' },
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    description: 'There is no such delivery, or its generation has no webhook.',
    example: { message: 'Delivery msg_01k9x2v7w3d5e8f0g2h4j6k8m0 does not exist' },
  },
  DEAD_LETTER_NOT_FOUND: {
    status: 404,
    description: 'There is no such dead letter. It was sent again or removed, or is older than 30 days.',
    example: { message: 'There is no dead letter 42' },
  },
  EVENT_NOT_FOUND: {
    status: 404,
    description: 'The stream does not exist, or has no event with this revision.',
    example: { message: 'There is no event 7 of the stream generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0' },
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    description: 'There is no such API key, or it belongs to another owner.',
    example: { message: 'API key key_01k9x2v7w3d5e8f0g2h4j6k8m0 does not exist' },
  },
  OWNER_NOT_FOUND: {
    status: 404,
    description: 'There is no such owner.',
    example: { message: 'Owner own_01k9x2v7w3d5e8f0g2h4j6k8m0 does not exist' },
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    description: 'The endpoint does not support this method. The `Allow` header lists the methods it supports.',
    example: { message: 'PUT is not supported at this URL; supported: GET, HEAD, POST' },
  },
  REQUEST_TIMEOUT: {
    status: 408,
    description: 'The request was not received completely in time.',
    example: { message: 'The request was not received in time' },
  },
  CONFLICT: {
    status: 409,
    description:
      'The generation or batch has ended, or was cancelled during the wait; there is a partial of this name; or another template has the slug.',
    example: { message: 'The generation is already completed' },
  },
  ASSET_LIMIT_EXCEEDED: {
    status: 409,
    description: 'The owner has as many assets, or as many bytes of them, as the deployment allows. Delete some.',
    example: { message: 'An owner may have at most 1000 assets' },
  },
  INPUT_LIMIT_EXCEEDED: {
    status: 409,
    description:
      'The owner keeps as many bytes of inputs as are allowed (`retain_input`). Erase some, or keep them for fewer days.',
    example: {
      message: 'The owner keeps as many bytes of inputs as are allowed; erase some, or leave out retain_input',
    },
  },
  PARTIAL_LIMIT_EXCEEDED: {
    status: 409,
    description: 'The owner has as many partials as are allowed. Delete some.',
    example: { message: 'An owner may have at most 1000 partials' },
  },
  FILE_URL_EXPIRED: {
    status: 410,
    description: 'The signed URL of the file has expired.',
    example: { message: `This URL has expired; GET /v1/generations/${id} returns a new one` },
  },
  FILE_DELETED: {
    status: 410,
    description: 'The PDF was deleted at the end of its retention.',
    example: { message: 'The PDF of this generation has been deleted' },
  },
  INPUT_DELETED: {
    status: 410,
    description: 'The stored input of the generation was deleted before the generation was rendered.',
    example: { message: 'The input of this generation is no longer stored' },
  },
  GENERATION_ERASED: {
    status: 410,
    description: 'An operator has deleted the content of the generation for good, at `details.erased_at`.',
    example: {
      message: 'The content of this generation was erased',
      details: { erased_at: '2026-03-01T09:00:00.000Z' },
    },
  },
  PRECONDITION_FAILED: {
    status: 412,
    description:
      'The template, asset or file is not the one of `If-Match` or `If-Unmodified-Since`, or `If-None-Match` excludes it.',
    example: { message: 'The template is at version 3, not 2' },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    description: 'The request body, or the template or asset in it, exceeds a size limit.',
    example: { message: 'The request body is larger than 6 MiB' },
  },
  URI_TOO_LONG: {
    status: 414,
    description: 'The URL is too long.',
    example: { message: 'The URL is longer than 8192 bytes' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    description:
      'A body that is not uncompressed JSON, or an asset whose bytes are of no supported type or not of its `Content-Type`.',
    example: { message: 'The request body must be JSON: send content-type: application/json' },
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    description: 'The file has no bytes in the requested range. The `Content-Range` header has its size.',
    example: { message: 'The file has 45120 bytes; the requested range is outside of it' },
  },
  TEMPLATE_SYNTAX_ERROR: {
    status: 422,
    description: 'The template cannot be compiled. `details` has the line, the column and an excerpt.',
    example: {
      message: 'html, line 3, column 5: {{name is not closed: }} is missing',
      details: { source: 'html', line: 3, column: 5, excerpt: '<h1>{{name</h1>' },
    },
  },
  TEMPLATE_RENDER_ERROR: {
    status: 422,
    description: 'The template cannot be filled with this data. `details` has the line, the column and an excerpt.',
    example: {
      message: 'html, line 3, column 5: formatCurrency: "abc" is not a number, in {{formatCurrency total}}',
      details: {
        source: 'html',
        line: 3,
        column: 5,
        excerpt: '<td>{{formatCurrency total}}</td>',
        helper: 'formatCurrency',
        expression: '{{formatCurrency total}}',
      },
    },
  },
  TEMPLATE_TOO_COMPLEX: {
    status: 422,
    description: 'The template exceeds a limit on its size or nesting.',
    example: { message: 'A template may have at most 5000 mustaches' },
  },
  RENDER_FAILED: {
    status: 422,
    description: 'The document cannot be printed, or has a warning listed in `fail_on`.',
    example: { message: 'page_ranges asks for page 9; the document has 2 pages', details: { generation_id: id } },
  },
  RENDER_LIMIT_EXCEEDED: {
    status: 422,
    description: 'The document exceeds a limit: its pages, or the size of its HTML, its PDF or its picture.',
    example: { message: 'The document has more than 1000 pages', details: { generation_id: id } },
  },
  PDF_TOOL_ERROR: {
    status: 422,
    description:
      'A step after the print, or an operation on PDFs, cannot be done: a PDF is encrypted, damaged or lacks what the step needs. `details` has the step and the reason.',
    example: {
      message: 'merge: the PDF of source 2 is encrypted; give its password',
      details: { step: 'merge', reason: 'encrypted', generation_id: id },
    },
  },
  PDF_TOO_COMPLEX: {
    status: 422,
    description:
      'To read, change, draw or compare a PDF takes more time or memory than the process has that does it, or has ended it. `details` has the reason.',
    example: {
      message: 'compare: To draw the PDF takes more than 1536 MiB of memory',
      details: { step: 'compare', reason: 'out-of-memory' },
    },
  },
  WEBHOOK_URL_FORBIDDEN: {
    status: 422,
    description: 'Webhooks are not sent to this URL.',
    example: { message: 'webhook_url must be a public http or https URL without user name, password or fragment' },
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    description: 'The `Idempotency-Key` was used before with another request body.',
    example: { message: 'This Idempotency-Key was used with another request body; send a new key' },
  },
  RATE_LIMITED: {
    status: 429,
    description:
      'Too many requests or idempotency keys of this owner, or too many unknown API keys, in a period. Retry after the time in `Retry-After`.',
    example: { message: 'The owner of this API key may send 600 requests per minute; retry in 12 s' },
  },
  CONCURRENCY_LIMIT_EXCEEDED: {
    status: 429,
    description: 'Too many requests or changes of this owner at the same time. Retry after the time in `Retry-After`.',
    example: { message: 'Too many concurrent changes of this owner; this one was not made. Retry in 1 s' },
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    description: 'The request headers are too large.',
    example: { message: 'The request headers are larger than 32 KiB' },
  },
  INTERNAL_ERROR: {
    status: 500,
    description: 'An unexpected error. The server log has the details under the `request_id`.',
    example: { message: 'Internal error; the server log has the details under this request_id' },
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    description: 'A backing service is unavailable. Retry after the time in `Retry-After`.',
    example: { message: 'A backing service is unavailable; retry later' },
  },
  QUEUE_FULL: {
    status: 503,
    description:
      'Too many generations are waiting, or a synchronous one would wait for too long. Retry after the time in `Retry-After`.',
    example: { message: 'The queue is full: 20000 generations are waiting; retry later' },
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    description:
      'The object store is unavailable. Retry after the time in `Retry-After`. If `details` has a `poll_url`, the PDF is printed.',
    example: { message: 'The object store is unavailable; retry later' },
  },
  RENDER_TIMEOUT: {
    status: 504,
    description: 'The document took too long, or no renderer could begin it in time. The generation has failed.',
    example: { message: 'The document was not printed within 30 s', details: { generation_id: id } },
  },
  WAIT_TIMEOUT: {
    status: 504,
    description:
      'Only the wait has ended: poll `Location`, which is also `details.poll_url`, for the end of the generation. A document that no renderer has begun by then ends with `RENDER_TIMEOUT`, unless its request has an `Idempotency-Key` or `Prefer: wait`.',
    example: {
      message: 'The generation has not ended after 35 s; poll for its result',
      details: { generation_id: id, poll_url: `http://localhost:3000/v1/generations/${id}` },
    },
  },
} satisfies Record<string, ErrorCodeEntry>

export type ErrorCode = keyof typeof entries

/**
 * Every error code of the API. The statuses of responses, the OpenAPI document and the table in docs/reference/errors.md come from
 * here. Codes are stable and public; messages may change.
 */
export const errorCatalogue: Record<ErrorCode, ErrorCodeEntry> = entries

export const errorCodes = Object.keys(entries) as ErrorCode[]
