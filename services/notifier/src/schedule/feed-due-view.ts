import { type EventStore, InvalidPosition } from '@platen/shared/event-store/event-store.ts'
import { runProjection } from '@platen/shared/projections/projection.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { sleep } from '@platen/shared/runtime/sleep.ts'
import type { DueView } from './due-view.ts'

export interface Feeding {
  view: DueView
  store: EventStore
  log: Logger
  stopping: AbortSignal
  onChange: () => void
  onCaughtUp: () => void
}

/** Keeps the view up to date until `stopping`, whatever fails meanwhile. */
export async function feedDueView({ view, store, log, stopping, onChange, onCaughtUp }: Feeding): Promise<void> {
  while (!stopping.aborted) {
    try {
      await runProjection({
        store,
        categories: ['delivery'],
        checkpoint: view.checkpoint,
        apply(events, position) {
          view.apply(events, position)
          if (events.length > 0) onChange()
        },
        signal: stopping,
        log,
        onCaughtUp,
      })
    } catch (err) {
      if (err instanceof InvalidPosition) {
        log.warn({ err }, 'the view is of another event store: it is built anew')
        view.clear()
      } else {
        log.error({ err }, 'cannot feed the view of due deliveries, trying again')
        await sleep(1_000, stopping)
      }
    }
  }
}
