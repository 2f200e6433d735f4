import type { GenerationStatus } from '@platen/domain/generation/generation.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { GenerationRecord } from '../views/generation-record.ts'
import type { GenerationFilter } from '../views/generation-search.ts'
import type { FoundGenerations, GenerationView } from '../views/generation-view.ts'
import type { Page } from '../views/view.ts'
import type { QueuedGenerations } from './queued-generations.ts'

/** The most queued generations that a request reads, one by one. The next page continues after them. */
const maxQueueReads = 1_000
const concurrentReads = 50

/** The generations of an owner or of all, newest first, from the view and from the queue. */
export async function listGenerations(
  {
    view,
    untilCaughtUp,
    queue,
  }: { view: GenerationView; untilCaughtUp: () => Promise<void>; queue: QueuedGenerations },
  filter: GenerationFilter,
): Promise<Page<GenerationRecord>> {
  const { limit, statuses } = filter
  // The queue is read before the view: a generation that leaves the queue in between is then in the view.
  const queued = mayBeQueued(filter) ? await findQueued(view, queue, filter) : none
  await untilCaughtUp()
  const begun = statuses?.filter((status) => status !== 'queued')
  const viewed = begun?.length === 0 ? none : await view.list({ ...filter, statuses: begun, limit: limit + 1 })
  const shown = new Set(viewed.items.map(idOf))
  const merged = [...viewed.items, ...queued.items.filter((record) => !shown.has(idOf(record)))].sort(newestFirst)
  // Older than the end of one search, generations of the other may be missing.
  const searchedTo = [queued.searchedTo, viewed.searchedTo]
    .filter((id) => id !== undefined)
    .sort()
    .at(-1)
  const searched = searchedTo === undefined ? merged : merged.filter((record) => idOf(record) >= searchedTo)
  const items = searched.slice(0, limit)
  if (searched.length > limit) return { items, hasMore: true }
  return { items, hasMore: searchedTo !== undefined, ...defined({ searchedTo }) }
}

const none: FoundGenerations = { items: [] }

/** A queued generation has no failure and no warnings yet. */
function mayBeQueued({ statuses, errorCode, hasWarnings }: GenerationFilter): boolean {
  const queued: GenerationStatus = 'queued'
  return (statuses === undefined || statuses.includes(queued)) && errorCode === undefined && hasWarnings !== true
}

async function findQueued(
  view: GenerationView,
  queue: QueuedGenerations,
  filter: GenerationFilter,
): Promise<FoundGenerations> {
  const { ownerId, from = '', before = '~', limit } = filter
  // One that moves from a queue to another may be in both.
  const owners = new Map((await queue.list(ownerId)).map(({ id, ownerId: owner }) => [id, owner]))
  const all = [...owners].filter(([id]) => id >= from && id < before)
  const looked = all.slice(0, maxQueueReads)
  const items: GenerationRecord[] = []
  for (let at = 0; at < looked.length && items.length <= limit; at += concurrentReads) {
    const unseen = looked.slice(at, at + concurrentReads).filter(([id]) => !view.find(id))
    const records = await Promise.all(unseen.map(([id, owner]) => queue.find(id, owner)))
    for (const record of records) {
      if (record && isWanted(record, filter)) items.push(record)
    }
  }
  const searchedTo = all.length > looked.length && items.length <= limit ? looked.at(-1)?.[0] : undefined
  return { items, ...defined({ searchedTo }) }
}

function isWanted({ request }: GenerationRecord, filter: GenerationFilter): boolean {
  const { templateId, templateVersion, apiKeyId, fileName, metadata = {} } = filter
  const { template, api_key_id, file_name = '' } = request
  return (
    (templateId === undefined || template?.id === templateId) &&
    (templateVersion === undefined || template?.version === templateVersion) &&
    (apiKeyId === undefined || api_key_id === apiKeyId) &&
    (fileName === undefined || file_name.toLowerCase().includes(fileName.toLowerCase())) &&
    Object.entries(metadata).every(([key, value]) => request.metadata?.[key] === value)
  )
}

function idOf({ request }: GenerationRecord): string {
  return request.generation_id
}

function newestFirst(one: GenerationRecord, other: GenerationRecord): number {
  return idOf(one) < idOf(other) ? 1 : -1
}
