import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import type { EventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { whyGone } from './why-gone.ts'

/** An answer that a gateway must give, according to the events. */
export interface RecordedAnswer {
  kind: 'document' | 'template'
  id: string
  /** The path of the API, with the owner. */
  path: string
  /** Fields of the answer. */
  fields: Record<string, unknown>
  /** SHA-256 of the file that the answer names. */
  sha256?: string
}

interface Choosing {
  count: number
  retention: ObjectRetention
  /** When the copy was made, in milliseconds. */
  at: number
}

/**
 * The expected answers for up to `count` completed documents and `count` templates, chosen at random. Documents whose
 * file was erased or has expired are left out. The files are not looked up, because a missing file must fail the drill.
 */
export function recordedAnswers(events: EventCopy, { count, ...reasons }: Choosing): RecordedAnswer[] {
  const why = whyGone(events, reasons)
  const hasFile = ({ stream, recordedAt }: StoredEvent) =>
    why({ key: '', kind: 'pdf', of: aggregateIdOf(stream), recordedAt }) === 'absent'
  const documents = chosen(events.read(['GenerationCompleted']), count, hasFile)
  const templates = chosen(events.read(['TemplateCreated']), count, () => true)
  const answers = documents.map(({ stream }) => documentOf(events.readStream(stream))).filter(isPresent)
  if (documents.length > 0 && answers.length === 0)
    throw new Error('no completed document can be compared: their streams do not begin with a request')
  return [...answers, ...templates.map(({ stream }) => templateOf(events.readStream(stream))).filter(isPresent)]
}

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined

/** Each has the same chance. They are read once, and only those that are chosen are kept. */
function chosen(all: Iterable<StoredEvent>, count: number, isWanted: (event: StoredEvent) => boolean): StoredEvent[] {
  const kept: StoredEvent[] = []
  let seen = 0
  for (const event of all) {
    if (!isWanted(event)) continue
    const at = seen < count ? seen : Math.floor(Math.random() * (seen + 1))
    if (at < count) kept[at] = event
    seen += 1
  }
  return kept
}

type Fields = Record<string, unknown>

function documentOf(events: readonly StoredEvent[]): RecordedAnswer | undefined {
  const [requested] = events
  const completed = events.find(({ type }) => type === 'GenerationCompleted')
  if (requested?.type !== 'GenerationRequested' || completed === undefined) return undefined
  const { owner_id, template, metadata, file_name } = requested.data as Fields & { template?: Fields }
  const { pages, size, duration_ms, engine, warnings, sha256 } = completed.data as Fields
  const id = aggregateIdOf(requested.stream)
  return {
    kind: 'document',
    id,
    path: `/v1/generations/${id}?owner=${owner_id}`,
    sha256: String(sha256),
    fields: {
      id,
      status: 'completed',
      pages,
      size,
      duration_ms,
      engine,
      warnings,
      ...(template && { template: { id: template.id, version: template.version } }),
      metadata,
      file_name,
    },
  }
}

function templateOf(events: readonly StoredEvent[]): RecordedAnswer | undefined {
  const [created, last] = [events[0], events.at(-1)]
  if (created === undefined || last === undefined || last.type === 'TemplateDeleted') return undefined
  const id = aggregateIdOf(created.stream)
  const { name, html } = last.data as Fields
  return {
    kind: 'template',
    id,
    path: `/v1/templates/${id}?owner=${(created.data as Fields).owner_id}`,
    fields: { id, name, html, version: last.revision + 1 },
  }
}
