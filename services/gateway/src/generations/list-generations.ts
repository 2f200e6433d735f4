import type { Metadata } from '@platen/domain/generation/job-details.ts'
import type { GenerationRecord } from '../views/generation-record.ts'
import type { GenerationFilter, GenerationView } from '../views/generation-view.ts'
import type { Page } from '../views/view.ts'
import type { QueuedGenerations } from './queued-generations.ts'

/** The most queued generations that a request reads, one by one. The next page continues after them. */
const maxQueueReads = 1_000
const concurrentReads = 50

/** The generations of an owner, newest first, from the view and from the queue. */
export async function listGenerations(
  {
    view,
    untilCaughtUp,
    queue,
  }: { view: GenerationView; untilCaughtUp: () => Promise<void>; queue: QueuedGenerations },
  filter: GenerationFilter,
): Promise<Page<GenerationRecord>> {
  const { limit, status } = filter
  // The queue is read before the view: a generation that leaves the queue in between is then in the view.
  const { queued, searchedTo } =
    status === undefined || status === 'queued' ? await findQueued(view, queue, filter) : none
  await untilCaughtUp()
  const viewed = status === 'queued' ? [] : await view.list({ ...filter, limit: limit + 1 })
  const shown = new Set(viewed.map(idOf))
  const merged = [...viewed, ...queued.filter((record) => !shown.has(idOf(record)))].sort(newestFirst)
  const searched = searchedTo === undefined ? merged : merged.filter((record) => idOf(record) >= searchedTo)
  const items = searched.slice(0, limit)
  if (searched.length > limit) return { items, hasMore: true }
  return { items, hasMore: searchedTo !== undefined, ...(searchedTo !== undefined && { searchedTo }) }
}

interface Queued {
  queued: GenerationRecord[]
  /** The oldest id that was looked at, if there are older ones and the page is not full. */
  searchedTo?: string
}

const none: Queued = { queued: [] }

async function findQueued(
  view: GenerationView,
  queue: QueuedGenerations,
  { ownerId, from = '', before = '~', templateId, metadata = {}, limit }: GenerationFilter,
): Promise<Queued> {
  const all = (await queue.ids(ownerId)).filter((id) => id >= from && id < before)
  const ids = all.slice(0, maxQueueReads)
  const found: GenerationRecord[] = []
  for (let at = 0; at < ids.length && found.length <= limit; at += concurrentReads) {
    const unseen = ids.slice(at, at + concurrentReads).filter((id) => !view.find(id))
    const records = await Promise.all(unseen.map((id) => queue.find(id, ownerId)))
    for (const record of records) {
      if (record && isOf(record, templateId, metadata)) found.push(record)
    }
  }
  const searchedTo = all.length > ids.length && found.length <= limit ? ids.at(-1) : undefined
  return { queued: found, ...(searchedTo !== undefined && { searchedTo }) }
}

function isOf({ request }: GenerationRecord, templateId: string | undefined, metadata: Metadata): boolean {
  if (templateId !== undefined && request.template?.id !== templateId) return false
  return Object.entries(metadata).every(([key, value]) => request.metadata?.[key] === value)
}

function idOf({ request }: GenerationRecord): string {
  return request.generation_id
}

function newestFirst(one: GenerationRecord, other: GenerationRecord): number {
  return idOf(one) < idOf(other) ? 1 : -1
}
