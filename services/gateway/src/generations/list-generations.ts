import type { GenerationStatus } from '@platen/shared/contracts/generation.ts'
import type { Page } from '../http/page.ts'
import type { GenerationRecord } from './generation-record.ts'
import type { GenerationView } from './generation-view.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface GenerationQuery {
  apiKeyId: string
  status: GenerationStatus | undefined
  templateId: string | undefined
  before: string | undefined
  limit: number
}

/** Queued ones are read one by one: of at most so many is asked whether they are of the wanted template. */
const maxQueuedLooks = 1_000
const looksAtOnce = 50

/** The key's own, newest first: those in the view and those that only lie in the queue. */
export async function listGenerations(
  { view, queue }: { view: GenerationView; queue: QueuedGenerations },
  query: GenerationQuery,
): Promise<Page<GenerationRecord>> {
  const { limit, status } = query
  // The queue is looked at first: what leaves it meanwhile is in the view by then, and the view wins.
  const queued = status === undefined || status === 'queued' ? await findQueued(view, queue, query) : []
  const viewed = status === 'queued' ? [] : view.list({ ...query, limit: limit + 1 })
  const shown = new Set(viewed.map(idOf))
  const merged = [...viewed, ...queued.filter((record) => !shown.has(idOf(record)))].sort(newestFirst)
  return { items: merged.slice(0, limit), hasMore: merged.length > limit }
}

async function findQueued(
  view: GenerationView,
  queue: QueuedGenerations,
  { apiKeyId, before = '~', templateId, limit }: GenerationQuery,
): Promise<GenerationRecord[]> {
  const ids = (await queue.ids(apiKeyId)).filter((id) => id < before).slice(0, maxQueuedLooks)
  const found: GenerationRecord[] = []
  for (let at = 0; at < ids.length && found.length <= limit; at += looksAtOnce) {
    const unseen = ids.slice(at, at + looksAtOnce).filter((id) => !view.find(id))
    const records = await Promise.all(unseen.map((id) => queue.find(apiKeyId, id)))
    for (const record of records) {
      if (record && (templateId === undefined || record.request.template?.id === templateId)) found.push(record)
    }
  }
  return found
}

function idOf({ request }: GenerationRecord): string {
  return request.generation_id
}

function newestFirst(one: GenerationRecord, other: GenerationRecord): number {
  return idOf(one) < idOf(other) ? 1 : -1
}
