import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorEnvelope } from '@platen/domain/http/http.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { PlatenRequest } from '../../support/platen.ts'
import type { Answer, Listed, Lost, Read, Sent, Write } from './evidence.ts'
import { type Seeded, seeded } from './seeded.ts'
import type { Door } from './system.ts'

const requestTimeoutMs = 40_000

export interface Answered<Body> {
  status: number | 'cut'
  body: (Body & ErrorEnvelope) | undefined
  /** Why there is no answer. */
  lost?: Lost
  code?: string
  /** The `x-request-id`. */
  request?: string
  etag?: string
}

export interface RequestOf extends PlatenRequest {
  /** The id of the operation in the OpenAPI document. */
  operation: string
  path: string
  /** The statuses under 500 that are right. */
  expected: number[]
}

export interface WriteOf extends RequestOf {
  subject: string
  sent?: Sent
  key?: string
}

/** Sends the requests of all clients, and records every answer. */
export class Client {
  readonly gateways: readonly Door[]
  readonly seed: number
  readonly answers: Answer[] = []
  readonly writes: Write[] = []
  readonly reads: Read[] = []
  readonly lists: Listed[] = []
  phase: Answer['phase'] = 'during'

  constructor(gateways: readonly Door[], seed: number) {
    this.gateways = gateways
    this.seed = seed
  }

  random(name: string): Seeded {
    return seeded(this.seed).fork(name)
  }

  async send<Body>(gateway: Door, { operation, path, expected, ...init }: RequestOf): Promise<Answered<Body>> {
    const atMs = Date.now()
    const signal = AbortSignal.timeout(requestTimeoutMs)
    let lost: Lost | undefined
    const answer = await gateway.json<Body & ErrorEnvelope>(path, { ...init, signal }).catch((err: unknown) => {
      lost = lostBy(err)
      return undefined
    })
    const status = answer?.status ?? 'cut'
    const code = answer?.body?.error?.code as string | undefined
    const etag = answer?.headers.get('etag')?.replace(/^(?:W\/)?"(.*?)(?:-br|-gzip)?"$/, '$1')
    const id = answer?.headers.get('x-request-id') ?? undefined
    const request = `${init.method ?? (init.body === undefined ? 'GET' : 'POST')} ${path.replace(/_[0-9a-z]{26}/g, '_…')}`
    const said = { ...(code !== undefined && { code }), ...(lost && { lost }) }
    const { phase } = this
    const ms = Date.now() - atMs
    this.answers.push({ operation, request, gateway: gateway.name, status, atMs, ms, phase, expected, ...said })
    return { status, body: answer?.body, ...said, ...(id && { request: id }), ...(etag && { etag }) }
  }

  /** A change, which the checker looks for in the log. */
  async write<Body>(gateway: Door, { subject, sent = {}, key, ...of }: WriteOf): Promise<Answered<Body>> {
    const sentMs = Date.now()
    const headers = { ...of.headers, ...(key !== undefined && { 'idempotency-key': key }) }
    const answered = await this.send<Body>(gateway, { ...of, headers })
    const { status, code, request, etag, body } = answered
    this.writes.push({
      operation: of.operation,
      subject,
      gateway: gateway.name,
      sentMs,
      answeredMs: Date.now(),
      status,
      sent,
      ...(code !== undefined && { code }),
      ...(request !== undefined && { request }),
      ...(key !== undefined && { key }),
      ...(etag !== undefined && { etag }),
      ...(isAcknowledged(status) && body !== undefined && { body: body as unknown as Record<string, Json> }),
    })
    return answered
  }

  /** That a 404 is wrong is judged with the read. */
  async read(gateway: Door, stream: string, path: string): Promise<number | undefined> {
    const sentMs = Date.now()
    const operation = stream.startsWith('template') ? 'getTemplate' : 'getPartial'
    const { status, body } = await this.send<{ version: number }>(gateway, { operation, path, expected: [200, 404] })
    const version = status === 200 ? body?.version : undefined
    this.reads.push({ stream, gateway: gateway.name, sentMs, status, ...(version !== undefined && { version }) })
    return version
  }
}

function lostBy(err: unknown): Lost {
  if (err instanceof Error && err.name === 'TimeoutError') return 'late'
  const { code } = ((err as Error).cause ?? {}) as { code?: string }
  return code === 'ECONNREFUSED' ? 'refused' : 'broken'
}

export const isAcknowledged = (status: number | 'cut'): status is number => status !== 'cut' && status < 300

/** A kind of clients. */
export interface Kind {
  /** The operations that it sends, of those that write. */
  operations: readonly string[]
  /** Sends requests until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** A request of each operation, after recovery. */
  probe(gateway: Door): Promise<void>
}

/** The time between two requests of a person or a program. */
export const pause = (random: Seeded, signal: AbortSignal, leastMs = 50, mostMs = 400): Promise<void> =>
  delay(random.between(leastMs, mostMs), undefined, { signal }).catch(() => {})
