import { existsSync, renameSync } from 'node:fs'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { unreadableEvents } from '@platen/shared/event-store/quarantine.ts'
import { aggregateIdOf, categoryOf } from '@platen/shared/event-store/stream-name.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import {
  nextPath,
  readyPath,
  removeDatabase,
  replaceDatabase,
  takePrepared,
} from '@platen/shared/projections/prepared-view.ts'
import { runProjection } from '@platen/shared/projections/run-projection.ts'
import { ViewLevel } from '@platen/shared/projections/view-level.ts'
import { DependencyUnavailable } from '@platen/shared/runtime/errors.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { Gauge, type Registry } from 'prom-client'
import type { ApiKeyView } from './api-keys/api-key-view.ts'
import type { OwnerView } from './api-keys/owner-view.ts'
import type { GenerationView } from './generations/generation-view.ts'
import { type OpenViews, openViews, viewCategories } from './open-views.ts'
import type { LabelView } from './templates/label-view.ts'
import type { TemplateView } from './templates/template-view.ts'
import { ViewUpdates } from './views/view-updates.ts'

/** The views that queries are answered from. */
export interface Views extends AsyncDisposable {
  templates: TemplateView
  partials: OpenViews['partials']
  labels: LabelView
  generations: GenerationView
  apiKeys: ApiKeyView
  owners: OwnerView
  updates: ViewUpdates
  /** Resolves when every event recorded so far has been applied. Rejects if the views are of another event store. */
  caughtUp: Promise<void>
  /**
   * Resolves when the views show every event that was recorded before the call. Throws StoreUnavailable when that takes
   * longer than 2 s.
   */
  level(): Promise<void>
  check: HealthCheck
}

export interface ViewsOptions {
  path: string
  store: EventStore
  log: Logger
  metrics: Registry
  /** Called if the views turn out to be of another event store after they have caught up. */
  fail: (err: Error) => void
}

const progressEveryMs = 2_000
const levelTimeoutMs = 2_000
const lookForPreparedEveryMs = 1_000

type State = 'behind' | 'current' | 'disconnected' | 'faulty'

/** Views that follow the log. */
interface FollowedViews {
  views: OpenViews
  level: ViewLevel
  state: State
  /** Events applied since the start. */
  applied: number
  /** How long after its record the last event was applied. */
  lagMs: number
  /** When the last event that was applied was recorded. */
  lastAt: Date | undefined
  /** Resolves when every event recorded so far has been applied. Rejects if the views are of another event store. */
  caughtUp: Promise<void>
  /** Resolves when the views are not changed any more. They stay open. */
  stop(): Promise<void>
}

/** Opens the views and keeps them up to date until disposal. Replaces them by a file that `platen views rebuild` has made. */
export function runViews({ path, store, log, metrics, fail }: ViewsOptions): Views {
  const updates = new ViewUpdates()
  takePrepared(path)
  const onChanged = (ids: string[]) => updates.notify(ids)
  const common = { store, log, metrics }
  let current = followLog(openViews(path), { ...common, onChanged, onFailed: fail })
  const caughtUp = current.caughtUp
  // A gateway that starts in the same process replaces the metric of the one before.
  metrics.removeSingleMetric('platen_view_lag_seconds')
  new Gauge({
    name: 'platen_view_lag_seconds',
    help: 'How long after its record an event was shown; while the views are behind, the age of the last event shown',
    registers: [metrics],
    collect() {
      const { state, lagMs, lastAt } = current
      this.set(state === 'current' || lastAt === undefined ? lagMs / 1_000 : (Date.now() - lastAt.getTime()) / 1_000)
    },
  })
  let swapped: Promise<void> = Promise.resolve()
  const stop = new AbortController()

  const progress = setInterval(() => {
    if (current.state === 'behind') log.info({ events: current.applied }, 'catching up the views with the event store')
  }, progressEveryMs)
  caughtUp.catch(() => {}).finally(() => clearInterval(progress))

  /** Requests read the old views until the new ones show as much. The last step is made at once, so that none finds no view. */
  const swap = async (next: FollowedViews) => {
    const followOn = (views: OpenViews) => followLog(views, { ...common, onChanged, onFailed: fail, isLevel: true })
    await current.stop()
    try {
      await next.level.reached()
    } catch (err) {
      current = followOn(current.views)
      throw err
    }
    await next.stop()
    next.views[Symbol.dispose]()
    current.views[Symbol.dispose]()
    replaceDatabase(path, nextPath(path))
    current = followOn(openViews(path))
    updates.notifyAll()
  }
  const adopt = async () => {
    removeDatabase(nextPath(path))
    renameSync(readyPath(path), nextPath(path))
    log.info({ path }, 'the views were rebuilt; catching up before they are used')
    const next = followLog(openViews(nextPath(path)), { ...common, onFailed: () => {} })
    try {
      await Promise.race([next.caughtUp, aborted(stop.signal)])
      stop.signal.throwIfAborted()
      const swapping = swap(next)
      swapped = swapping.catch(() => {})
      await swapping
    } catch (err) {
      await next.stop()
      next.views[Symbol.dispose]()
      removeDatabase(nextPath(path))
      throw err
    }
    log.info({ path }, 'the rebuilt views are in use')
  }
  let adopting: Promise<void> | undefined
  const looking = setInterval(() => {
    if (adopting || current.state !== 'current' || !existsSync(readyPath(path))) return
    adopting = adopt()
      .catch((err) => log.error({ err, path }, 'the rebuilt views are not used'))
      .finally(() => {
        adopting = undefined
      })
  }, lookForPreparedEveryMs)

  return {
    templates: forwarding(() => current.views.templates),
    partials: forwarding(() => current.views.partials),
    labels: forwarding(() => current.views.labels),
    generations: forwarding(() => current.views.generations),
    apiKeys: forwarding(() => current.views.apiKeys),
    owners: forwarding(() => current.views.owners),
    updates,
    caughtUp,
    level: () => swapped.then(() => current.level.reached()),
    check: {
      name: 'views',
      async check() {
        if (current.state !== 'current') throw new DependencyUnavailable(`the views are ${current.state}`)
      },
    },
    async [Symbol.asyncDispose]() {
      clearInterval(looking)
      clearInterval(progress)
      metrics.removeSingleMetric('platen_view_lag_seconds')
      stop.abort()
      await adopting
      await current.stop()
      current.views[Symbol.dispose]()
    },
  }
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
  isLevel?: boolean
}

function followLog(
  views: OpenViews,
  { store, log, metrics, onChanged, onFailed, isLevel = false }: Following,
): FollowedViews {
  const categories = [...viewCategories]
  const level = new ViewLevel({ store, categories, view: views.database, timeoutMs: levelTimeoutMs })
  const stop = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  caughtUp.promise.catch(() => {})
  let hasCaughtUp = isLevel
  const followed: FollowedViews = {
    views,
    level,
    state: isLevel ? 'current' : 'behind',
    applied: 0,
    lagMs: 0,
    lastAt: undefined,
    caughtUp: caughtUp.promise,
    async stop() {
      stop.abort()
      await running
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
      if (followed.state === 'current' && followed.lastAt) {
        followed.lagMs = Math.max(0, Date.now() - followed.lastAt.getTime())
      }
      onChanged?.(events.map(({ stream }) => aggregateIdOf(stream)))
      level.applied(events)
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
  const running = following.catch((err) => {
    caughtUp.reject(err)
    if (hasCaughtUp) onFailed(err)
  })
  return followed
}

/** An object whose methods are those of the current one at the time of the call. */
function forwarding<View extends object>(current: () => View): View {
  const get =
    (_: View, name: keyof View) =>
    (...args: unknown[]) =>
      (current()[name] as (...args: unknown[]) => unknown)(...args)
  return new Proxy({} as View, { get } as ProxyHandler<View>)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
