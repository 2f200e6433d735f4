import { deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import { deliveryId } from '@platen/domain/delivery/delivery-record.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { labelStream } from '@platen/domain/template/label-state.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { history, readNewest } from '@platen/event-store/history.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'

/** The category of the streams whose ids have a prefix. */
const categories: Record<string, string> = {
  tpl: 'template',
  prt: 'partial',
  pdf: 'generation',
  msg: 'delivery',
  red: 'redelivery',
  end: 'endpoint',
  bat: 'batch',
  key: 'apikey',
  own: 'owner',
}

export interface Search {
  store: EventStore
  signal: AbortSignal
  /** Called with the number of events that were read, while the whole log is. */
  onRead?: (count: number) => void
}

/** Streams of which one request causes all. The others, such as the assets of an owner, are changed by many. */
const causedByOne = new Set(['generation', 'delivery', 'batch'])

/**
 * The streams that belong to an id, with their events: the stream of the aggregate, or all streams that a request,
 * command or event with this id has changed. A generation comes with its delivery, a delivery with its generation, a
 * template with its labels. Of a template, partial or owner only the events caused by the request or command are
 * returned.
 */
export async function findStreams(search: Search, id: string): Promise<StoredEvent[][]> {
  const category = categories[id.slice(0, id.indexOf('_'))]
  const caused = category === undefined ? await causedBy(search, id) : undefined
  const names = caused?.keys() ?? [`${category}-${id}`]
  const streams = new Map<string, StoredEvent[]>()
  for (const name of names) {
    const own = causedByOne.has(categoryOf(name)) ? undefined : caused?.get(name)
    if (own) streams.set(name, own)
    else for (const found of await withRelated(search, name)) streams.set(found.name, found.events)
  }
  return [...streams.values()].filter((events) => events.length > 0)
}

/** Events name the request and the command that caused them. Only the whole log tells which. */
async function causedBy({ store, signal, onRead }: Search, id: string): Promise<Map<string, StoredEvent[]>> {
  const streams = new Map<string, StoredEvent[]>()
  let count = 0
  for await (const event of history(store, { signal })) {
    onRead?.(++count)
    const { correlation_id, causation_id } = event.metadata
    if (event.id === id || correlation_id === id || causation_id === id) {
      streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
    }
    if (event.id === id) break
  }
  signal.throwIfAborted()
  return streams
}

/** The stream, and those that belong to it. Of each only the newest events, if there are more than `most`. */
export async function withRelated(
  { store, most }: { store: Pick<EventStore, 'readStream'>; most?: number },
  name: string,
): Promise<{ name: string; events: StoredEvent[] }[]> {
  const readWhole = (stream: string) => readNewest(store, stream, most)
  const events = await readWhole(name)
  const own = { name, events }
  const category = categoryOf(name)
  if (category === 'generation') {
    const delivery = deliveryStreamOf(events)
    if (delivery === undefined) return [own]
    return [own, { name: delivery, events: await readWhole(delivery) }]
  }
  if (category === 'delivery') {
    const { generation_id } = (events[0]?.data ?? {}) as { generation_id?: string }
    if (generation_id === undefined) return [own]
    const generation = generationStream(generation_id)
    return [{ name: generation, events: await readWhole(generation) }, own]
  }
  if (category === 'template') {
    const labels = labelStream(aggregateIdOf(name))
    return [own, { name: labels, events: await readWhole(labels) }]
  }
  return [own]
}

const endings = new Set(['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled'])

/** The id of a delivery derives from the event that ended the generation. */
function deliveryStreamOf(generation: readonly StoredEvent[]): string | undefined {
  const requested = generation.find(({ type }) => type === 'GenerationRequested')
  const { webhook_url } = (requested?.data ?? {}) as { webhook_url?: string }
  const ended = generation.findLast(({ type }) => endings.has(type))
  if (webhook_url === undefined || ended === undefined || !URL.canParse(webhook_url)) return undefined
  return deliveryStream(deliveryId(ended.id, new URL(webhook_url).href))
}
