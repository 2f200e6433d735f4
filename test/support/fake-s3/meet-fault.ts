import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FaultKind } from './faults.ts'

/** Fails the request at once or while its body is received. Returns false for faults of the response. */
export function meetFault(kind: FaultKind, request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request
  switch (kind) {
    case 'unavailable':
      request.resume()
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
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
      return false
    case 'reset':
    case 'cut':
    case 'stall':
      if (request.method === 'GET') return false
      afterHalf(request, () => halfWay(kind)(socket))
      return true
  }
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
