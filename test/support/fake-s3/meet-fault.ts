import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FaultKind } from './faults.ts'
import { S3Refusal } from './refusal.ts'

/** Fails the request at once or while its body is received. Returns false for faults of the response. */
export function meetFault(kind: FaultKind, request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request
  switch (kind) {
    case 'unavailable':
      request.resume()
      sendXml(response, 503, new S3Refusal(503, 'SlowDown', { Message: 'Please reduce your request rate' }))
      return true
    case 'full': {
      request.resume()
      const message = 'Storage backend has reached it&#39;s minimum free drive threshold'
      sendXml(response, 507, new S3Refusal(507, 'XMinioStorageFull', { Message: message }))
      return true
    }
    case 'text':
      request.resume()
      response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n')
      return true
    case 'html':
      request.resume()
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body><h1>Not found<br></h1></body></html>')
      return true
    case 'refuse':
      reset(socket)
      return true
    case 'hang':
      return true
    case 'whole':
    case 'less':
      return false
    case 'reset':
    case 'cut':
    case 'stall':
      if (request.method === 'GET') return false
      afterHalf(request, () => halfWay(kind)(socket))
      return true
  }
}

function sendXml(response: ServerResponse, status: number, refusal: S3Refusal): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(refusal.toXml())
}

/** What to do with the connection after half of the body. */
export function halfWay(kind: FaultKind): (socket: Socket) => void {
  if (kind === 'reset') return reset
  return kind === 'cut' ? (socket) => socket.end() : () => {}
}

function reset(socket: Socket): void {
  // The socket below TLS cannot be reset from here, so close it.
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

function afterHalf(request: IncomingMessage, then: () => void): void {
  const announced = Number(request.headers['content-length'] ?? 0)
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received < announced / 2) return
    request.pause()
    then()
  })
}
