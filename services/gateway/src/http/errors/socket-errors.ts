import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '@platen/domain/http/errors.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { errorResponse } from './error-response.ts'

export const maxUrlBytes = 8_192
export const maxHeaderBytes = 32 * 1024

interface SocketError extends Error {
  code?: string
  /** The reason that the parser gives for `HPE_…` codes. */
  reason?: string
  /** The bytes that the parser rejected. */
  rawPacket?: unknown
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** The response before it on the connection, if it was not sent yet. */
  before: ServerResponse | undefined
}

/** The newest request of each connection. */
const exchanges = new WeakMap<object, Exchange>()
const failed = new WeakSet<object>()

/** `sendSocketError` needs to know which requests of a connection are answered. */
export function recordExchanges(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const earlier = exchanges.get(request.socket)?.response
    const before = earlier && !earlier.writableFinished ? earlier : undefined
    exchanges.set(request.socket, { request, response, before })
  })
}

/**
 * Answers requests that Node's HTTP parser rejects. They have no Fastify request, and no hook runs. Clients match
 * answers to requests by order: earlier answers are sent first, and an answered request gets no second one.
 */
export function sendSocketError(err: SocketError, socket: Socket): void {
  if (err.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // The parser reports each further part of the data, too.
  if (failed.has(socket)) return
  failed.add(socket)
  const answer = () => {
    if (socket.writable) endWithError(socket, errorOf(err))
  }
  const newest = exchanges.get(socket)
  // Otherwise the parser has rejected bytes after a complete request.
  const isInBody = newest?.request.complete === false
  if (isInBody && newest.response.headersSent) afterwards(newest.response, () => socket.destroySoon())
  else afterwards(isInBody ? newest.before : newest?.response, answer)
}

function afterwards(response: ServerResponse | undefined, act: () => void): void {
  if (!response || response.writableFinished) act()
  else response.once('finish', act)
}

export function endWithError(socket: Socket, error: DomainError, more: Record<string, string> = {}): void {
  const requestId = newId('req')
  const { status, headers, body } = errorResponse(error, requestId)
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    ...more,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}

function errorOf({ code = '', reason = '', rawPacket }: SocketError): DomainError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('REQUEST_TIMEOUT', 'The request was not received in time')
    case 'HPE_HEADER_OVERFLOW':
      return isLongUrl(rawPacket)
        ? new DomainError('URI_TOO_LONG', `The URL is longer than ${maxUrlBytes} bytes`)
        : new DomainError('HEADERS_TOO_LARGE', `The request headers are larger than ${maxHeaderBytes / 1024} KiB`)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('PAYLOAD_TOO_LARGE', 'The chunk extensions of the request body are too large')
    default:
      return new DomainError('INVALID_REQUEST', explain(code, reason, rawPacket))
  }
}

const firstLine = 'The first line of the request must be a method, a URL without spaces, and HTTP/1.1'

/** The codes of llhttp, the parser of Node. */
const explanations: Record<string, string> = {
  HPE_INVALID_METHOD: 'The request does not begin with a method of HTTP, such as GET',
  HPE_PAUSED_H2_UPGRADE: 'HTTP/2 is not supported: send HTTP/1.1',
  HPE_INVALID_CONSTANT: firstLine,
  HPE_INVALID_VERSION: firstLine,
  HPE_INVALID_URL: 'The URL has a character that must be percent-encoded',
  HPE_INVALID_HEADER_TOKEN: 'A header is malformed: it must be a name, a colon and a value, without control characters',
  HPE_INVALID_CONTENT_LENGTH: 'The Content-Length header must be one decimal number, without Transfer-Encoding',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'The request must have one Content-Length header, and none with Transfer-Encoding',
  HPE_INVALID_TRANSFER_ENCODING: 'The Transfer-Encoding header must be chunked, and without Content-Length',
  HPE_INVALID_CHUNK_SIZE: 'A chunk of the request body has no valid size',
}

function explain(code: string, reason: string, packet: unknown): string {
  if (code === 'HPE_INVALID_METHOD' && isTls(packet)) return 'This port speaks HTTP without TLS: use http, not https'
  if (/chunk/.test(reason)) return 'A chunk of the request body is malformed'
  return explanations[code] ?? 'The HTTP request is malformed'
}

/** The type of the first record of a TLS connection, and its major version (RFC 8446, section 5.1). */
function isTls(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && packet[0] === 0x16 && packet[1] === 3
}

/** Node reports a URL that is too long as a header overflow. */
function isLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const end = packet.indexOf('\r\n')
  return end === -1 || end > maxUrlBytes
}
