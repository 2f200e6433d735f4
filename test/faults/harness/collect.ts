import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { recordedType } from '@platen/domain/catalogue/messages.ts'
import type { Generation, RenderInput } from '@platen/domain/generation/generation.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { StoreUnavailable } from '@platen/event-store/event-store.ts'
import { history } from '@platen/event-store/history.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { decodeKept } from '@platen/service-kit/inputs/input-codec.ts'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { Ages } from '../../../services/notifier/src/janitor/left-objects.ts'
import { removeLeftovers } from '../../../services/notifier/src/janitor/remove-leftovers.ts'
import { leftObjects } from '../../../services/notifier/src/janitor/run-janitor.ts'
import { unseal } from '../../../shared/service-kit/src/inputs/seal.ts'
import { tested } from './deliveries/receivers.ts'
import type { Call, Fault, KeptRead, LoggedEvent, Polled, PublishedEvent, StoredObject, StreamUse } from './evidence.ts'
import type { Door, System } from './system.ts'
import type { Workload } from './workload.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** On a busy machine, a server ends the subscription of a reader that is too slow, and a connection that stood still. */
const readAttempts = 20

async function whenStoreAnswers<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (err) {
      if (!(err instanceof StoreUnavailable) || attempt === readAttempts) throw err
      await delay(1_000)
    }
  }
}

/** The streams that this run has written to, in the order of the log. An event store may have records of earlier runs. */
export const readLog = (system: System): Promise<LoggedEvent[]> => whenStoreAnswers(() => readLogOnce(system))

async function readLogOnce({ stores, startedMs }: System): Promise<LoggedEvent[]> {
  const { store } = await stores()
  const events: LoggedEvent[] = []
  const own = new Set<string>()
  for await (const stored of history(store, { categories: [...knownCategories] })) {
    const { stream, id, revision, type, metadata, recordedAt } = stored
    const dash = stream.indexOf('-')
    const data = (stored.data ?? {}) as JsonObject
    const request = String(metadata.correlation_id ?? '')
    if (recordedAt.getTime() >= startedMs) own.add(stream)
    events.push({
      id,
      category: stream.slice(0, dash),
      aggregate: stream.slice(dash + 1),
      revision,
      type,
      data,
      request,
    })
  }
  return events.filter(({ category, aggregate }) => own.has(`${category}-${aggregate}`))
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
          seq: message.seq,
          subject: message.subject,
          id,
          aggregate,
          revision,
          data,
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
  for (const category of ['pdfs', 'assets', 'inputs']) {
    for await (const { key } of objects.list(category)) {
      const bytes = await buffer(await objects.get(key))
      const isPdf = bytes.subarray(0, 5).toString() === '%PDF-'
      const read = category === 'pdfs' ? await readPdf(bytes) : { pages: 0, text: '' }
      stored.push({ key, size: bytes.length, sha256: sha256(bytes), isPdf, ...read })
    }
  }
  return stored
}

async function readPdf(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  const pages = await pagesOf(bytes)
  return { pages: pages.length, text: pages[0] ?? '' }
}

/** The text of each page by pdf.js, which shares no code with the browser that printed it; none if it cannot read the file. */
export async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  try {
    const pdf = await task.promise
    const texts: string[] = []
    for (let page = 1; page <= pdf.numPages; page++) {
      const { items } = await (await pdf.getPage(page)).getTextContent()
      texts.push(items.map((item) => ('str' in item ? item.str : '')).join(''))
    }
    return texts
  } catch {
    return []
  } finally {
    await task.destroy()
  }
}

const hourMs = 3_600_000

/**
 * The PDFs and assets that the sweeps of the product leave in two hours from now, and the inputs that they leave in eight days. A sweep
 * may find as many unknown objects as the crashes of an hour leave. So there is one for what was written until the end of every tenth fault.
 */
export async function sweep({ stores }: System, faults: readonly Pick<Fault, 'endedMs'>[]): Promise<string[]> {
  const { objects, store } = await stores()
  const kept: string[] = []
  const sweepAt = (now: Date, since?: Date) => {
    const keptInputs = { keys: async () => new Set<string>(), eraseKey: async () => true, release: async () => {} }
    const isQueued = async () => true
    const stores = { objects, store, keptInputs, isQueued, retention: { inputDays: 7, pdfDays: 0 } }
    // The product repeats it every hour.
    return whenStoreAnswers(() => removeLeftovers(leftObjects(stores, new Ages(now, since))))
  }
  const keep = async (category: string) => {
    for await (const { key } of objects.list(category)) kept.push(key)
  }
  let since: Date | undefined
  const ends = faults.map(({ endedMs }) => endedMs).sort((one, other) => one - other)
  for (const endedMs of [...ends.filter((_, at) => at % 10 === 9), Date.now()]) {
    // An hour later, as it leaves objects of the last hour alone.
    const now = new Date(endedMs + hourMs)
    await sweepAt(now, since)
    since = now
  }
  await keep('pdfs')
  await keep('assets')
  await sweepAt(new Date(Date.now() + 8 * 24 * hourMs))
  await keep('inputs')
  return kept
}

/** Reads each input of which the key store has the key. */
export async function readKept(system: System, log: readonly LoggedEvent[]): Promise<KeptRead[]> {
  const { objects } = await system.stores()
  const named = new Map(log.map(({ aggregate, data }) => [data.kept_input && aggregate, data.kept_input]))
  const connection = await system.nats()
  try {
    const { streams } = await connection.jetstreamManager()
    const stream = 'KV_INPUT_KEYS'
    const isThere = await streams.info(stream).then(
      () => true,
      () => false,
    )
    if (!isThere) return []
    const { state } = await streams.info(stream, { subjects_filter: '$KV.INPUT_KEYS.*' })
    const kept: KeptRead[] = []
    for (const subject of Object.keys(state.subjects ?? {})) {
      const id = subject.slice('$KV.INPUT_KEYS.'.length)
      const { object_key: key } = (named.get(id) ?? {}) as { object_key?: string }
      const secret = await streams.getMessage(stream, { last_by_subj: subject })
      const sealed = key === undefined ? undefined : await objects.get(key).then(buffer, () => undefined)
      kept.push({ id, ...(sealed && key !== undefined && contentOf(sealed, secret.string(), key)) })
    }
    return kept
  } finally {
    await connection.close()
  }
}

function contentOf(sealed: Buffer, secret: string, key: string): Omit<KeptRead, 'id'> {
  const { input } = decodeKept(unseal(sealed, Buffer.from(secret, 'base64'), key)) as { input: RenderInput }
  const { html, template } = input
  return { ...(html !== undefined && { htmlSha256: sha256(html) }), ...(template && { template }) }
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

export function readCalls({ receiver, verified }: Pick<Workload, 'receiver' | 'verified'>): Call[] {
  // Tests of webhooks are judged by their requests.
  const deliveries = receiver.received.filter(({ path }) => !path.startsWith(tested))
  return deliveries.map((call) => {
    const { path, headers, body, atMs } = call
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } }
    const id = String(headers['webhook-id'])
    return { path, id, verified: verified.has(call), sha256: sha256(body), type, generation: data.id, atMs }
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

/** What each stream of NATS holds, also those under buckets. */
export async function readStreams(system: System): Promise<StreamUse[]> {
  const connection = await system.nats()
  try {
    const manager = await connection.jetstreamManager()
    const found: StreamUse[] = []
    for await (const { config, state } of manager.streams.list()) {
      const { name, max_bytes: maxBytes, max_age } = config
      found.push({ name, messages: state.messages, bytes: state.bytes, maxBytes, maxAgeS: max_age / 1e9 })
    }
    return found
  } finally {
    await connection.close()
  }
}
