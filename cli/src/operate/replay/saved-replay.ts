import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import type { FilterValues } from '../events/event-filter.ts'
import type { Target } from './target.ts'

/** What is needed to go on with a replay. Kept in the bucket CHECKPOINTS until the replay is complete. */
export interface SavedReplay {
  filter: FilterValues
  target: Target
  rate: number | undefined
  position: Position | 'start'
  count: number
}

const keyOf = (id: string) => `replay.${id}`

export interface ReplayStore {
  load(id: string): Promise<SavedReplay | undefined>
  save(id: string, replay: SavedReplay): Promise<void>
  remove(id: string): Promise<void>
}

export async function openReplays(bus: Bus): Promise<ReplayStore> {
  const bucket = await openBucket(bus, buckets.checkpoints)
  return {
    async load(id) {
      const entry = await bucket.get(keyOf(id))
      return entry?.operation === 'PUT' ? entry.json<SavedReplay>() : undefined
    },
    save: async (id, replay) => void (await bucket.put(keyOf(id), JSON.stringify(replay))),
    remove: (id) => bucket.purge(keyOf(id)),
  }
}
