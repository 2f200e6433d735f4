import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { DamagedView } from '@platen/service-kit/projections/damaged-view.ts'
import { forwardCalls } from '@platen/service-kit/projections/forward-calls.ts'
import { removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'
import { type Projection, runProjection } from '@platen/service-kit/projections/run-projection.ts'
import type { ViewDatabase } from '@platen/service-kit/projections/view-database.ts'

/** A disk that damages each new file is not written without a pause. */
const pauseMs = 1_000

interface FedView extends Disposable {
  readonly database: ViewDatabase
  apply: (event: StoredEvent) => void
}

export interface RepairingView<View> extends Disposable {
  /** Its methods throw DependencyUnavailable when they find damage. While the view is rebuilt, it lacks later events. */
  view: Omit<View, 'database' | 'apply' | keyof Disposable>
  /** Feeds the view from the log until the signal aborts, as `runProjection`. To be called once. */
  follow(projection: Omit<Projection, 'view' | 'apply'>): Promise<void>
}

/** A view that replaces a damaged file with a new one, filled from the log. */
export function openRepairingView<View extends FedView>(
  path: string,
  open: (path: string) => View,
): RepairingView<View> {
  let current = open(path)
  let damaged = new AbortController()
  const view = forwardCalls(
    () => current,
    (err) => damaged.abort(err),
  )
  const followCurrent = async (projection: Omit<Projection, 'view' | 'apply'>): Promise<unknown> => {
    const signal = AbortSignal.any([projection.signal, damaged.signal])
    const apply = (events: readonly StoredEvent[]) => events.forEach(current.apply)
    try {
      await runProjection({ ...projection, view: current.database, apply, signal })
    } catch (err) {
      if (!(err instanceof DamagedView)) throw err
      return err
    }
    return damaged.signal.aborted ? damaged.signal.reason : undefined
  }
  return {
    view,
    async follow(projection) {
      const { log, onFault, signal } = projection
      while (!signal.aborted) {
        const err = await followCurrent(projection)
        if (err === undefined) return
        log.error({ err, path }, 'the view is damaged; rebuilding it from the event store')
        onFault?.(err)
        current[Symbol.dispose]()
        removeDatabase(path)
        current = open(path)
        damaged = new AbortController()
        await sleep(pauseMs, signal)
      }
    },
    [Symbol.dispose]: () => current[Symbol.dispose](),
  }
}
