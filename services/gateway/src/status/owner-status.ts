import type { Status } from '@platen/domain/status/status.ts'
import { isInteractive } from '@platen/domain/streams/subjects.ts'
import type { QueuedGenerations } from '../generations/queued-generations.ts'
import type { GenerationView } from '../views/generation-view.ts'

export interface OwnerStatusOptions {
  generations: Pick<GenerationView, 'rendering' | 'endedInLast'>
  queue: Pick<QueuedGenerations, 'list'>
}

/** All that renderers can hold at a time are fewer. */
const mostRendering = 10_000

/** The figures of one owner. */
export async function ownerStatus({ generations, queue }: OwnerStatusOptions, ownerId: string): Promise<Status> {
  const common = { at: new Date().toISOString(), owner_id: ownerId }
  const last_hour = generations.endedInLast(60, { ownerId })
  try {
    // The queue is read first: a generation that leaves it meanwhile is in the view afterwards.
    const places = await queue.list(ownerId)
    const rendering = new Set(generations.rendering(ownerId, mostRendering))
    const queued = places.filter(({ id }) => !rendering.has(id))
    const interactive = queued.filter(({ queue: name }) => isInteractive(name)).length
    const figures = {
      accepted: queued.length + rendering.size,
      queued: { interactive, batch: queued.length - interactive },
      rendering: rendering.size,
    }
    return { ...common, generations: { ...figures, last_hour }, not_checked: [] }
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err)
    const not_checked = ['accepted', 'queued', 'rendering'].map((part) => ({ part: `generations.${part}`, reason }))
    return { ...common, generations: { last_hour }, not_checked }
  }
}
