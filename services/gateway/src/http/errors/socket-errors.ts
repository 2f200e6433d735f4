import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import { maxHeaderBytes, maxUrlBytes } from '../limits.ts'
import { errorResponse } from './envelope.ts'

interface SocketError extends Error {
  code?: string
  /** The bytes that the parser rejected. */
  rawPacket?: unknown
}

/** Answers requests that Node's HTTP parser rejects: for them there is no Fastify request and no hook runs. */
export function sendSocketError(err: SocketError, socket: Socket): void {
  if (err.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  endWithError(socket, errorOf(err))
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

function errorOf({ code, rawPacket }: SocketError): DomainError {
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
      return new DomainError('INVALID_REQUEST', 'The HTTP request is malformed')
  }
}

/** Node reports a URL that is too long as a header overflow. */
function isLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const end = packet.indexOf('\r\n')
  return end === -1 || end > maxUrlBytes
}
