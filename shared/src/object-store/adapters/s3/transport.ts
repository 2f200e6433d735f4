import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { ClientOptions } from 'minio'
import { BadStatus, codeOf, NoAnswer } from './errors.ts'

export interface Deadlines {
  /** Until a connection stands, TLS included. */
  connectMs: number
  /** Without a byte in either direction, while we wait for the store. */
  idleMs: number
}

export const defaultDeadlines: Deadlines = { connectMs: 3_000, idleMs: 10_000 }

export interface Connections {
  transport: NonNullable<ClientOptions['transport']>
  agent: http.Agent
}

/** Shorter than any store keeps one: then it is we who hang up, and no request meets a connection just closed. */
const spareConnectionMs = 5_000
const busyStatuses = new Set([408, 429, 499, 520])

/**
 * What the S3 client sends its requests through. The client has no deadlines; and of a 5xx it keeps only a text, leaves
 * the answer unread, and thereby its connection taken for ever.
 */
export function openConnections(tls: boolean, deadlines: Deadlines): Connections {
  const agentOptions = { keepAlive: true, timeout: spareConnectionMs, maxFreeSockets: 64 }
  const agent = tls ? new https.Agent(agentOptions) : new http.Agent(agentOptions)
  const request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
    const sent = (tls ? https : http).request({ ...options, timeout: deadlines.idleMs })
    sent.on('error', (err) => markStale(err, sent))
    sent.on('response', (response) => {
      const status = response.statusCode ?? 0
      if (status >= 500 || busyStatuses.has(status)) sent.destroy(new BadStatus(status))
      else onResponse(response)
    })
    sent.on('timeout', () => sent.destroy(new NoAnswer('The object store gave no answer in time')))
    sent.on('socket', (socket) => limitConnecting(sent, socket, tls, deadlines.connectMs))
    return sent
  }
  // The client calls it in this one form of those that node:http has.
  return { transport: { request: request as typeof http.request }, agent }
}

function limitConnecting(sent: ClientRequest, socket: Socket, tls: boolean, connectMs: number): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => sent.destroy(new NoAnswer('The object store took no connection in time')), connectMs)
  socket.once(tls ? 'secureConnect' : 'connect', () => clearTimeout(timer))
  sent.once('close', () => clearTimeout(timer))
}

const stale = new WeakSet<Error>()

function markStale(err: Error, { reusedSocket }: ClientRequest): void {
  const code = codeOf(err)
  if (reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) stale.add(err)
}

/** Asks once more where a kept connection turned out to be closed: that tells nothing of the store. */
export async function onceMoreIfStale<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (err) {
    if (err instanceof Error && stale.has(err)) return await ask()
    throw err
  }
}
