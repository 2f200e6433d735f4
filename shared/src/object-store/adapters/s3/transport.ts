import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { ClientOptions } from 'minio'
import { BadStatus, codeOf, NoAnswer } from './errors.ts'

export interface Deadlines {
  /** To establish a connection, including TLS. */
  connectMs: number
  /** Without traffic, while waiting for the store. */
  idleMs: number
}

export const defaultDeadlines: Deadlines = { connectMs: 3_000, idleMs: 10_000 }

export interface Connections {
  transport: NonNullable<ClientOptions['transport']>
  agent: http.Agent
}

/** Less than the keep-alive time of any store, so that requests do not meet connections that the store is closing. */
const keepAliveMs = 5_000
const busyStatuses = new Set([408, 429, 499, 520])

/**
 * The transport of the S3 client, which adds deadlines and handles error statuses. The client itself leaves the body of
 * a 5xx response unread, so that its connection is never released.
 */
export function openConnections(tls: boolean, deadlines: Deadlines): Connections {
  const agentOptions = { keepAlive: true, timeout: keepAliveMs, maxFreeSockets: 64 }
  const agent = tls ? new https.Agent(agentOptions) : new http.Agent(agentOptions)
  const request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
    const sent = (tls ? https : http).request({ ...options, timeout: deadlines.idleMs })
    sent.on('error', (err) => markStale(err, sent))
    sent.on('response', (response) => {
      const status = response.statusCode ?? 0
      if (status >= 500 || busyStatuses.has(status)) sent.destroy(new BadStatus(status))
      else onResponse(response)
    })
    sent.on('timeout', () => sent.destroy(new NoAnswer('The object store did not answer in time')))
    sent.on('socket', (socket) => limitConnecting(sent, socket, tls, deadlines.connectMs))
    return sent
  }
  // The client uses only this signature of http.request.
  return { transport: { request: request as typeof http.request }, agent }
}

function limitConnecting(sent: ClientRequest, socket: Socket, tls: boolean, connectMs: number): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => sent.destroy(new NoAnswer('The connection to the object store timed out')), connectMs)
  socket.once(tls ? 'secureConnect' : 'connect', () => clearTimeout(timer))
  sent.once('close', () => clearTimeout(timer))
}

const stale = new WeakSet<Error>()

function markStale(err: Error, { reusedSocket }: ClientRequest): void {
  const code = codeOf(err)
  if (reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) stale.add(err)
}

/** Repeats a request once if the store had closed the reused connection. */
export async function retryIfStale<Value>(send: () => Promise<Value>): Promise<Value> {
  try {
    return await send()
  } catch (err) {
    if (err instanceof Error && stale.has(err)) return await send()
    throw err
  }
}
