import { existsSync, renameSync } from 'node:fs'
import { type EventStore, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { onEachBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { addLiveGauge } from '@platen/service-kit/host/live-gauge.ts'
import { DamagedView } from '@platen/service-kit/projections/damaged-view.ts'
import { forwardCalls } from '@platen/service-kit/projections/forward-calls.ts'
import {
  nextPath,
  readyPath,
  removeDatabase,
  replaceDatabase,
  takePrepared,
} from '@platen/service-kit/projections/prepared-view.ts'
import type { Registry } from 'prom-client'
import type { ApiKeyView } from './api-key-view.ts'
import type { AssetView } from './asset-view.ts'
import type { BatchView } from './batch-view.ts'
import type { DeliveryView } from './delivery-view.ts'
import { type FollowedViews, followLog } from './follow-log.ts'
import type { GenerationView } from './generation-view.ts'
import type { LabelView } from './label-view.ts'
import { type OpenViews, openViews } from './open-views.ts'
import type { OwnerView } from './owner-view.ts'
import { PartRead } from './part-read.ts'
import type { TemplateView } from './template-view.ts'
import { ViewUpdates } from './view-updates.ts'

/** The views that queries are answered from. */
export interface Views extends AsyncDisposable {
  templates: TemplateView
  partials: OpenViews['partials']
  labels: LabelView
  generations: GenerationView
  batches: BatchView
  deliveries: DeliveryView
  apiKeys: ApiKeyView
  owners: OwnerView
  assets: AssetView
  updates: ViewUpdates
  /** What has led to the views. */
  applied: OpenViews['applied']
  /** Resolves when every event recorded so far has been applied. Rejects if the views are of another event store. */
  caughtUp: Promise<void>
  /**
   * Resolves when the views show every event that was recorded before the call. Throws StoreUnavailable when that takes
   * longer than 2 s.
   */
  untilCaughtUp(): Promise<void>
  check: HealthCheck
}

/** How a start without views begins. */
export interface Loaded {
  /** The end of a sentence. */
  origin: string
  /**
   * Settles when the views of the snapshot are on the disk, with what was changed meanwhile: until then nothing may wait for a flush of their
   * file. If it rejects, the file is not what was written. Absent without a snapshot.
   */
  flushed?: Promise<void>
  /** Ends what is still done with the file. If it is not flushed, the next start loads it again. */
  stop?: () => void
}

export interface ViewsOptions {
  path: string
  store: EventStore
  log: Logger
  metrics: Registry
  /** Called if the views turn out to be of another event store after they have caught up. */
  fail: (err: Error) => void
  /** How the views begin. Absent if they were there. */
  loaded?: Loaded | undefined
}

const progressEveryMs = 2_000
const lookForPreparedEveryMs = 1_000

/**
 * Opens the views and keeps them up to date until disposal. Replaces them by a file that `platen views rebuild` has made, and
 * by new ones when their file is damaged.
 */
export function runViews({ path, store, log, metrics, fail, loaded }: ViewsOptions): Views {
  const updates = new ViewUpdates()
  takePrepared(path)
  const onChanged = (ids: string[]) => updates.notify(ids)
  const common = { store, log, metrics }
  const opened = openViews(path)
  const stop = new AbortController()
  let isFlushed = true
  if (loaded?.flushed) {
    opened.database.holdCheckpoints(loaded.flushed)
    isFlushed = false
    loaded.flushed.then(
      () => {
        isFlushed = true
      },
      (cause) => {
        if (!stop.signal.aborted) fail(new Error(`the views ${path} cannot be flushed to the disk`, { cause }))
      },
    )
  }
  const partRead = new PartRead(store)
  let current = followLog(opened, { ...common, onChanged, onFailed: fail })
  const caughtUp = Promise.withResolvers<void>()
  caughtUp.promise.catch(() => {})
  // Damaged views never catch up. Those that replace them do.
  current.caughtUp.then(caughtUp.resolve, (err) => {
    if (!(err instanceof DamagedView)) caughtUp.reject(err)
  })
  addLiveGauge(metrics, {
    name: 'platen_view_lag_seconds',
    help: 'How long after its record an event was shown; while the views are behind, the age of the last event shown',
    read() {
      const { state, lagMs, lastAt } = current
      return (state === 'current' || lastAt === undefined ? lagMs : Date.now() - lastAt.getTime()) / 1_000
    },
  })
  let swapped: Promise<void> = Promise.resolve()

  const progress = setInterval(() => {
    const { state, applied: events, lastAt } = current
    if (state !== 'behind') return
    const percent = partRead.percent(current)
    log.info({ events, percent, recorded_at: lastAt }, 'catching up the views with the event store')
  }, progressEveryMs)
  caughtUp.promise.catch(() => {}).finally(() => clearInterval(progress))

  /**
   * Requests read the old views until the new ones have caught up. The last step is synchronous, so that every request
   * finds a view.
   */
  const swap = async (next: FollowedViews) => {
    const followOn = (views: OpenViews) => followLog(views, { ...common, onChanged, onFailed: fail, isCaughtUp: true })
    await current.stop()
    try {
      await next.catchUp.reached()
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
  /** Takes the file that `platen views rebuild` has made, or else fills a new one. */
  const replace = async () => {
    removeDatabase(nextPath(path))
    const isPrepared = existsSync(readyPath(path))
    if (isPrepared) {
      renameSync(readyPath(path), nextPath(path))
      log.info({ path }, 'the views were rebuilt; catching up before they are used')
    } else {
      log.error({ err: current.damage, path }, 'the views are damaged; rebuilding them from the event store')
    }
    const opened = openViews(nextPath(path))
    // A snapshot may have been taken of what is damaged.
    if (!isPrepared) opened.purged(new Date())
    const next = followLog(opened, { ...common, onFailed: () => {} })
    try {
      await Promise.race([next.caughtUp, aborted(stop.signal)])
      stop.signal.throwIfAborted()
      const swapping = swap(next)
      swapped = swapping.catch(() => {})
      await swapping
    } catch (err) {
      await next.stop()
      next.views[Symbol.dispose]()
      // The next start takes what was prepared.
      if (isPrepared && stop.signal.aborted) replaceDatabase(readyPath(path), nextPath(path))
      else removeDatabase(nextPath(path))
      throw err
    }
    log.info({ path }, 'the rebuilt views are in use')
    caughtUp.resolve()
  }
  let replacing: Promise<void> | undefined
  const looking = onEachBeat(lookForPreparedEveryMs, () => {
    const isPrepared = current.state === 'current' && existsSync(readyPath(path))
    if (replacing || !(isPrepared || current.damage)) return
    replacing = replace()
      .catch((err) => log.error({ err, path }, 'the rebuilt views are not used'))
      .finally(() => {
        replacing = undefined
      })
  })

  const onDamage = (err: unknown) => current.onDamage(err)
  const describeState = () => {
    const { state, applied, lastAt } = current
    if (state !== 'behind') return `the views are ${state}`
    const percent = partRead.percent(current)
    const share = percent === undefined ? '' : ` (${percent} %)`
    const place = lastAt ? `${applied} events read${share}, up to ${lastAt.toISOString()}` : 'no event read yet'
    return `the views are behind: ${place}${loaded ? ` (${loaded.origin})` : ''}`
  }
  return {
    templates: forwardCalls(() => current.views.templates, onDamage),
    partials: forwardCalls(() => current.views.partials, onDamage),
    labels: forwardCalls(() => current.views.labels, onDamage),
    generations: forwardCalls(() => current.views.generations, onDamage),
    batches: forwardCalls(() => current.views.batches, onDamage),
    deliveries: forwardCalls(() => current.views.deliveries, onDamage),
    apiKeys: forwardCalls(() => current.views.apiKeys, onDamage),
    owners: forwardCalls(() => current.views.owners, onDamage),
    assets: forwardCalls(() => current.views.assets, onDamage),
    updates,
    applied: () => current.views.applied(),
    caughtUp: caughtUp.promise,
    async untilCaughtUp() {
      await swapped
      if (current.damage) throw new StoreUnavailable('The views are damaged and are being rebuilt')
      await current.catchUp.reached()
    },
    check: {
      name: 'views',
      async check() {
        if (current.state !== 'current') throw new DependencyUnavailable(describeState())
      },
    },
    async [Symbol.asyncDispose]() {
      looking[Symbol.dispose]()
      clearInterval(progress)
      metrics.removeSingleMetric('platen_view_lag_seconds')
      stop.abort()
      await replacing
      loaded?.stop?.()
      await current.stop()
      // To close the file would wait until the disk has all of it. The mark beside it stays, and the process ends.
      if (isFlushed || current.views !== opened) current.views[Symbol.dispose]()
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
