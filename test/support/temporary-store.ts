import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'

export interface TemporaryStore extends AsyncDisposable {
  store: EventStore
  /** Opens the same store again. */
  url: string
}

/** A SQLite event store in a temporary folder. */
export async function openTemporaryStore(): Promise<TemporaryStore> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-store-'))
  const url = `sqlite:${join(folder, 'events.db')}`
  const store = await openEventStore(url)
  return {
    store,
    url,
    async [Symbol.asyncDispose]() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
