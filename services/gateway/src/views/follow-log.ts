import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { unreadableEvents } from '@platen/event-store/with-catalogue.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { DamagedView } from '@platen/service-kit/projections/damaged-view.ts'
import { runProjection } from '@platen/service-kit/projections/run-projection.ts'
import type { Registry } from 'prom-client'
import { CatchUp } from './catch-up.ts'
import { type OpenViews, viewCategories } from './open-views.ts'

const catchUpTimeoutMs = 2_000

type State = 'behind' | 'current' | 'disconnected' | 'faulty'

/** Views that follow the log. */
export interface FollowedViews {
  views: OpenViews
  catchUp: CatchUp
  state: State
  /** Events applied since the start. */
  applied: number
  /** Why the file of the views cannot be read or written. The views no longer follow the log. */
  damage: unknown
  /** The age of the last event when it was applied, in ms. */
  lagMs: number
  /** When the last event that was applied was recorded. */
  lastAt: Date | undefined
  /** Of the first and the last event applied since the start. */
  firstPosition: Position | undefined
  lastPosition: Position | undefined
  /** Resolves when every event recorded so far has been applied. Rejects if the views are of another event store. */
  caughtUp: Promise<void>
  /** Stops following the log. To be called with an error of SQLite that says that the file is damaged. */
  onDamage(err: unknown): void
  /** Resolves when the views are not changed any more. They stay open. */
  stop(): Promise<void>
}

interface Following {
  store: EventStore
  log: Logger
  metrics: Registry
  /** Called with the ids of aggregates that have changed. */
  onChanged?: (ids: string[]) => void
  /** Called when the views turn out to be of another event store after they have caught up. */
  onFailed: (err: Error) => void
  /** The views show what was recorded until now. */
  isCaughtUp?: boolean
}

/** Keeps views up to date until `stop`. */
export function followLog(
  views: OpenViews,
  { store, log, metrics, onChanged, onFailed, isCaughtUp = false }: Following,
): FollowedViews {
  const categories = [...viewCategories]
  const catchUp = new CatchUp({ store, categories, view: views.database, timeoutMs: catchUpTimeoutMs })
  const stop = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  caughtUp.promise.catch(() => {})
  const running = Promise.withResolvers<void>()
  let hasCaughtUp = isCaughtUp
  const followed: FollowedViews = {
    views,
    catchUp,
    state: isCaughtUp ? 'current' : 'behind',
    applied: 0,
    lagMs: 0,
    lastAt: undefined,
    firstPosition: undefined,
    lastPosition: undefined,
    caughtUp: caughtUp.promise,
    damage: undefined,
    onDamage(err) {
      followed.damage ??= err
      followed.state = 'faulty'
      stop.abort()
    },
    async stop() {
      stop.abort()
      await running.promise
    },
  }
  const following = runProjection({
    store,
    categories,
    view: views.database,
    apply: views.apply,
    onIgnored: ({ stream }) => unreadableEvents(metrics).inc({ category: categoryOf(stream) }),
    onApplied(events) {
      followed.applied += events.length
      followed.lastAt = events.at(-1)?.recordedAt ?? followed.lastAt
      followed.firstPosition ??= events[0]?.position
      followed.lastPosition = events.at(-1)?.position ?? followed.lastPosition
      if (followed.state === 'current' && followed.lastAt) {
        followed.lagMs = Math.max(0, Date.now() - followed.lastAt.getTime())
      }
      onChanged?.(events.map(({ stream }) => aggregateIdOf(stream)))
      catchUp.applied(events)
    },
    onCaughtUp() {
      followed.state = 'current'
      hasCaughtUp = true
      caughtUp.resolve()
    },
    onLost() {
      followed.state = 'disconnected'
    },
    onFault() {
      followed.state = 'faulty'
    },
    log,
    signal: stop.signal,
  })
  // The first failure is that of the start. Later ones end the process.
  following
    .catch((err) => {
      caughtUp.reject(err)
      if (err instanceof DamagedView) followed.onDamage(err)
      else if (hasCaughtUp) onFailed(err)
    })
    .finally(running.resolve)
  return followed
}
