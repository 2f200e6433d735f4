import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Behaviour } from './behaviour.ts'

/** A request that the server has seen. The path is without that of the behaviour. */
export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  atMs: number
}

/** A server that gives the answers of a behaviour, and its faults. Many behaviours are served at once, each under a path of its own. */
export class FaultServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  /** The same server on another port. */
  readonly #other = createServer((request, response) => void this.#answer(request, response))
  readonly #served: { behaviour: Pick<Behaviour, 'answers' | 'repeat'>; seen: Seen[] }[] = []

  static async start(): Promise<FaultServer> {
    const server = new FaultServer()
    for (const each of [server.#server, server.#other]) {
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
    }
    return server
  }

  /** The URL to call, and the requests that are seen there. */
  serve(behaviour: Pick<Behaviour, 'answers' | 'repeat'>): { url: string; seen: Seen[] } {
    const served = { behaviour, seen: [] as Seen[] }
    const number = this.#served.push(served) - 1
    return { url: this.#url(number), seen: served.seen }
  }

  async [Symbol.asyncDispose]() {
    for (const each of [this.#server, this.#other]) {
      each.closeAllConnections()
      await new Promise((resolve) => each.close(resolve))
    }
  }

  #url(number: number | string, host = '127.0.0.1', server = this.#server): string {
    return `http://${host}:${(server.address() as AddressInfo).port}/${number}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? []
    const served = this.#served[Number(number)]
    if (!served) return void response.writeHead(404).end()
    const { behaviour, seen } = served
    const { method = '', headers } = request
    const answer = behaviour.answers[seen.length] ?? behaviour.repeat ?? { status: 599 }
    const arrived: Seen = { method, path, headers, body: '', atMs: performance.now() }
    seen.push(arrived)
    arrived.body = await text(request)
    const elsewhere = { host: this.#url(number, 'localhost'), port: this.#url(number, '127.0.0.1', this.#other) }
    const urls = { here: this.#url(number), ...elsewhere }
    await send(answer, request, response, urls).catch(() => response.destroy())
  }
}

type Urls = Record<'here' | 'host' | 'port', string>

async function send(answer: Answer, request: IncomingMessage, response: ServerResponse, urls: Urls) {
  const { socket } = request
  if (answer.silent) return
  if (answer.reset) return socket.resetAndDestroy()
  if (answer.raw !== undefined) return await sendRaw(answer.raw, answer.trickle_ms, socket)
  const { status, headers, body } = responseOf(answer, request.headers.range, urls)
  // Without a length, the answer would be chunked, and a client would notice that it is cut.
  if (status !== 204) headers['content-length'] = String(body.length)
  // A connection that is used again may be closed at that moment.
  response.shouldKeepAlive = false
  response.writeHead(status, headers)
  const sent = body.subarray(0, answer.break_after ?? answer.silent_after)
  if (answer.trickle_ms !== undefined) {
    for (const byte of sent) {
      if (socket.destroyed) return
      response.write(Buffer.of(byte))
      await delay(answer.trickle_ms)
    }
  } else if (sent.length < body.length) {
    response.write(sent, () => answer.break_after !== undefined && socket.destroySoon())
  } else response.end(sent)
}

async function sendRaw(text: string, trickleMs: number | undefined, socket: Socket) {
  if (trickleMs === undefined) return socket.end(text)
  for (const byte of Buffer.from(text)) {
    if (socket.destroyed) return
    socket.write(Buffer.of(byte))
    await delay(trickleMs)
  }
  socket.end()
}

interface SimpleResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

function responseOf(answer: Answer, range: string | undefined, urls: Urls): SimpleResponse {
  const { status = 200, part, header_bytes = 0 } = answer
  const all = contentOf(answer, urls)
  const start = answer.pdf === undefined ? undefined : /^bytes=(\d+)-$/.exec(range ?? '')?.[1]
  const contentRange = start && { 'content-range': `bytes ${start}-${all.body.length - 1}/${all.body.length}` }
  const body = all.body.subarray(Number(start ?? 0), part)
  const headers = {
    ...all.headers,
    ...(answer.etag !== undefined && { etag: answer.etag }),
    ...contentRange,
    ...(header_bytes > 0 && { 'x-long': 'a'.repeat(header_bytes) }),
    ...answer.headers,
    ...(answer.elsewhere && { location: `${urls[answer.elsewhere]}${answer.headers?.location}` }),
  }
  return { status: contentRange ? 206 : status, headers, body }
}

const completed = {
  id: 'pdf_1',
  status: 'completed',
  created_at: '2026-01-31T12:00:00.000Z',
  pages: 1,
  size: 5_000,
  duration_ms: 3,
  warnings: [],
}

function contentOf(answer: Answer, { here }: Urls): { headers: Record<string, string>; body: Buffer } {
  const { error, message = 'no', details, generation, pdf, json, body = '' } = answer
  if (error !== undefined) return jsonContent({ error: { code: error, message, details }, request_id: 'req_1' })
  if (generation !== undefined) return jsonContent({ ...completed, url: `${here}/v1/files/pdf_1.pdf`, ...generation })
  if (json !== undefined) return jsonContent(json)
  if (pdf === undefined) {
    return { headers: {}, body: Buffer.from(typeof body === 'string' ? body : body.repeat.repeat(body.times)) }
  }
  const headers = { 'x-generation-id': 'pdf_1', 'x-generation-pages': '1', 'x-generation-warnings': '0' }
  return { headers: { 'content-type': 'application/pdf', ...headers }, body: pdfOf(pdf) }
}

function jsonContent(value: unknown) {
  return {
    headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
    body: Buffer.from(JSON.stringify(value)),
  }
}

/** Bytes that begin and end like a PDF, and whose content depends on their offset. */
export function pdfOf(size: number): Buffer {
  const bytes = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 251))
  bytes.write('%PDF-1.7\n', 'latin1')
  bytes.write('\n%%EOF\n', size - 7, 'latin1')
  return bytes
}
