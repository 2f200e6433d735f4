import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { ClientOptions } from 'minio'
import { BadStatus, codeOf, decodeEntities, NoAnswer } from './errors.ts'

export interface Deadlines {
  /** To establish a connection, including TLS. */
  connectMs: number
  /** The longest time without traffic while waiting for the store. */
  idleMs: number
}

export const defaultDeadlines: Deadlines = { connectMs: 3_000, idleMs: 10_000 }

export interface Connections {
  transport: NonNullable<ClientOptions['transport']>
  agent: http.Agent
}

export interface ConnectionOptions {
  tls: boolean
  deadlines: Deadlines
}

/** Shorter than the keep-alive time of any store, so that no request uses a connection that the store is closing. */
const keepAliveMs = 5_000
const busyStatuses = new Set([408, 429, 499, 520])

/**
 * The transport of the S3 client, which adds deadlines and reads error responses. The client replaces the code of an
 * overloaded store and never releases its connection, and does not read error responses of anything else than a store.
 */
export function openConnections({ tls, deadlines }: ConnectionOptions): Connections {
  const agentOptions = { keepAlive: true, timeout: keepAliveMs, maxFreeSockets: 64 }
  const agent = tls ? new https.Agent(agentOptions) : new http.Agent(agentOptions)
  const request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
    const sent = (tls ? https : http).request({ ...options, timeout: deadlines.idleMs })
    sent.on('error', (err) => markStale(err, sent))
    sent.on('response', (response) => {
      if (isReadByClient(response, options)) onResponse(response)
      else void readRefusal(response).then((refusal) => sent.emit('error', refusal))
    })
    sent.on('timeout', () => sent.destroy(new NoAnswer('The object store did not answer in time')))
    sent.on('socket', (socket) => limitConnecting(sent, socket, tls, deadlines.connectMs))
    return sent
  }
  // The client uses only this signature of http.request.
  return { transport: { request: request as typeof http.request }, agent }
}

function isReadByClient({ statusCode: status = 0 }: IncomingMessage, { method }: RequestOptions): boolean {
  return status < 400 || (method === 'HEAD' && status < 500 && !busyStatuses.has(status))
}

const maxRefusalBytes = 16 * 1024

/**
 * Reads an error response, so that its connection can be used again. A longer or broken response closes the connection.
 */
async function readRefusal(response: IncomingMessage): Promise<BadStatus> {
  const { statusCode: status = 0, headers } = response
  let text = ''
  try {
    for await (const chunk of response) {
      text += chunk
      if (text.length > maxRefusalBytes) break
    }
  } catch {
    // The status is known.
  }
  // The response to a HEAD has no body. MinIO repeats the code and the message in headers.
  const header = (name: string) => headers[name]?.toString()
  const code = /<Code>([^<]+)<\/Code>/.exec(text)?.[1] ?? header('x-minio-error-code')
  const sentence = /<Message>([^<]+)<\/Message>/.exec(text)?.[1] ?? header('x-minio-error-desc')?.replaceAll('"', '')
  const isXml = text.trimStart().startsWith('<?xml') || code !== undefined
  return new BadStatus(status, code, decodeEntities(sentence ?? (isXml ? '' : text.replace(/<[^>]*>/g, ' '))))
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

/** The store had closed the reused connection before it got the request. */
export function isStale(err: unknown): boolean {
  return err instanceof Error && stale.has(err)
}
