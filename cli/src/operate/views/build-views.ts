import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { type OpenViews, viewCategories } from '@platen/gateway/views/open-views.ts'
import { runProjection } from '@platen/service-kit/projections/run-projection.ts'
import { readDataDir } from '../../frame/command.ts'

export interface Building {
  store: EventStore
  views: OpenViews
  /** Called with the number of events so far. */
  onProgress: (events: number) => void
  /** False for this event and those after it: they are left out. */
  includes?: (event: StoredEvent) => boolean
  signal: AbortSignal
}

/** Applies all of the log to empty views. Throws StoreUnavailable, and when the signal aborts. */
export async function buildViews({ store, views, onProgress, includes, signal }: Building): Promise<number> {
  const log = createLogger('platen', 'silent')
  const done = new AbortController()
  let failure: unknown
  let events = 0
  let isOver = false
  const end = (err?: unknown) => {
    failure ??= err
    done.abort()
  }
  await runProjection({
    store,
    categories: [...viewCategories],
    view: views.database,
    apply(batch) {
      if (isOver) return
      const end = batch.findIndex((event) => includes?.(event) === false)
      views.apply(end < 0 ? batch : batch.slice(0, end))
      isOver = end >= 0
    },
    onApplied(applied) {
      events += applied.length
      onProgress(events)
      if (isOver) end()
    },
    onCaughtUp: () => end(),
    onLost: end,
    onFault: end,
    log,
    signal: AbortSignal.any([signal, done.signal]),
  })
  if (failure !== undefined) throw failure
  signal.throwIfAborted()
  return events
}

/** The views of the gateway that has this DATA_DIR. Throws if no gateway has used the folder. */
export function requireViewPath(env: Environment): string {
  const path = join(readConfig(env, readDataDir), 'gateway', 'views.db')
  if (existsSync(dirname(path))) return path
  throw new Error(
    `there are no views in ${dirname(path)}; run this on the machine of a gateway, with its DATA_DIR and EVENT_STORE_URL`,
  )
}
