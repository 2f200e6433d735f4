import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { recordedType } from '@platen/domain/catalogue/messages.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { ListedTemplate } from '@platen/domain/template/template.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { history } from '../../../cli/src/frame/history.ts'
import { sweepObjects } from '../../../services/renderer/src/object-sweep/sweep-objects.ts'
import type { Call, LoggedEvent, Polled, PublishedEvent, StoredObject, View } from './evidence.ts'
import type { Door, System } from './system.ts'
import type { Workload } from './workload.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** The events of this run. */
export async function readLog({ stores, apiKeyId }: System, { changes }: Workload): Promise<LoggedEvent[]> {
  const { store } = await stores()
  const events: LoggedEvent[] = []
  for await (const stored of history(store, { categories: ['generation', 'template', 'delivery'] })) {
    const { stream, id, revision, type } = stored
    const dash = stream.indexOf('-')
    const data = stored.data as JsonObject
    events.push({ id, category: stream.slice(0, dash), aggregate: stream.slice(dash + 1), revision, type, data })
  }
  const templates = new Set(changes.map(({ template }) => template))
  const own = events.filter(({ data, aggregate }) => data.api_key_id === apiKeyId || templates.has(aggregate))
  const aggregates = new Set(own.map(({ aggregate }) => aggregate))
  return events.filter(({ aggregate }) => aggregates.has(aggregate))
}

/** All messages of EVENTS about these aggregates. */
export async function readPublished(system: System, aggregates: ReadonlySet<string>): Promise<PublishedEvent[]> {
  const connection = await system.nats()
  try {
    const manager = await connection.jetstreamManager()
    const { state } = await manager.streams.info(streams.events)
    const published: PublishedEvent[] = []
    if (state.messages === 0) return published
    const consumer = await connection.jetstream().consumers.get(streams.events)
    const messages = await consumer.consume({ max_messages: 500 })
    for await (const message of messages) {
      const { id, subject: aggregate, revision, type, data } = message.json<PublishedEvent>()
      if (aggregates.has(aggregate)) {
        published.push({
          ...{ seq: message.seq, subject: message.subject, id, aggregate, revision, data },
          type: recordedType(type) ?? type,
        })
      }
      if (message.seq >= state.last_seq) break
    }
    return published
  } finally {
    // A consumer that was left in the middle does not let close() resolve.
    void connection.close()
  }
}

export async function readObjects({ stores }: System): Promise<StoredObject[]> {
  const { objects } = await stores()
  const stored: StoredObject[] = []
  for await (const { key } of objects.list('pdfs')) {
    const bytes = await buffer(await objects.get(key))
    const isPdf = bytes.subarray(0, 5).toString() === '%PDF-'
    stored.push({ key, size: bytes.length, sha256: sha256(bytes), isPdf, ...(await readPdf(bytes)) })
  }
  return stored
}

/** Pages by pdf.js, which shares no code with the browser that printed them; 0 if it cannot read the file. */
async function readPdf(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  try {
    const pdf = await task.promise
    const { items } = await (await pdf.getPage(1)).getTextContent()
    return { pages: pdf.numPages, text: items.map((item) => ('str' in item ? item.str : '')).join('') }
  } catch {
    return { pages: 0, text: '' }
  } finally {
    await task.destroy()
  }
}

/** The PDFs that are left by the sweep that the product runs, two hours from now. */
export async function sweep({ stores }: System): Promise<string[]> {
  const { objects, store } = await stores()
  const now = new Date(Date.now() + 2 * 3_600_000)
  await sweepObjects({ objects, store, retention: { inputDays: 7, pdfDays: 0 }, now })
  const kept: string[] = []
  for await (const { key } of objects.list('pdfs')) kept.push(key)
  return kept
}

export async function pollAll(gateways: readonly Door[], ids: readonly string[]): Promise<Polled[]> {
  const polled: Polled[] = []
  for (const { name: gateway, json } of gateways) {
    const left = ids.values()
    const poll = async () => {
      for (const id of left) {
        const { status: httpStatus, body } = await json<Generation>(`/v1/generations/${id}`)
        const { status, size, pages } = body
        const result = { ...(size !== undefined && { size }), ...(pages !== undefined && { pages }) }
        polled.push({ id, gateway, httpStatus, ...(status !== undefined && { status }), ...result })
      }
    }
    await Promise.all([poll(), poll(), poll(), poll()])
  }
  return polled
}

/** What the gateway lists of these ids. */
export async function readView({ name, json }: Door, fresh: boolean, ids: ReadonlySet<string>): Promise<View> {
  const list = async <Item extends { id: string }>(path: string, describe: (item: Item) => string) => {
    const found: Record<string, string> = {}
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
      const { body } = await json<{ data: Item[]; next_cursor?: string }>(`/v1/${path}?${query}`)
      for (const item of body.data) if (ids.has(item.id)) found[item.id] = describe(item)
      cursor = body.next_cursor
    }
    return found
  }
  // A signed URL is made anew for each request.
  const generations = await list<Generation>('generations', ({ url, poll_url, ...rest }) => JSON.stringify(rest))
  const templates = await list<ListedTemplate>('templates', (template) => JSON.stringify(template))
  return { gateway: fresh ? `${name} (rebuilt)` : name, fresh, generations, templates }
}

export function readCalls({ receiver, verified }: Workload): Call[] {
  return receiver.received.map((call) => {
    const { path, headers, body } = call
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } }
    const id = String(headers['webhook-id'])
    return { path, id, verified: verified.has(call), sha256: sha256(body), type, generation: data.id }
  })
}

/**
 * Messages that no consumer has acknowledged. A process that was killed after its last event may not have acknowledged
 * its message, which is delivered again later.
 */
export async function readUnacknowledged(system: System): Promise<number> {
  const connection = await system.nats()
  try {
    const manager = await connection.jetstreamManager()
    let unacknowledged = 0
    for (const stream of [streams.commands, streams.events]) {
      for await (const { config, num_pending, num_ack_pending } of manager.consumers.list(stream)) {
        // Others are those of readPublished.
        if (config.durable_name !== undefined) unacknowledged += num_pending + num_ack_pending
      }
    }
    return unacknowledged
  } finally {
    await connection.close()
  }
}
