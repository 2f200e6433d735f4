import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import { maxUrlBytes } from '../plugins/request-id.ts'
import { errorAnswer } from './envelope.ts'

interface SocketError extends Error {
  code?: string
  /** What had been read when the parser gave up. */
  rawPacket?: unknown
}

/** Answers what Node's HTTP parser refuses, before there is a request that a route could see. */
export function answerSocketError(err: SocketError, socket: Socket): void {
  if (err.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  writeError(socket, errorOf(err))
}

export function writeError(socket: Socket, error: DomainError): void {
  const requestId = newId('req')
  const { status, headers, body } = errorAnswer(error, requestId)
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
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
      return new DomainError('REQUEST_TIMEOUT', 'The request did not arrive in time')
    case 'HPE_HEADER_OVERFLOW':
      return isLongUrl(rawPacket)
        ? new DomainError('URI_TOO_LONG', `The address is longer than ${maxUrlBytes} bytes`)
        : new DomainError('HEADERS_TOO_LARGE', 'The headers are too large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large')
    default:
      return new DomainError('INVALID_REQUEST', 'This is not a valid HTTP request')
  }
}

/** Node counts the address as one of the headers. */
function isLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const end = packet.indexOf('\r\n')
  return end === -1 || end > maxUrlBytes
}
