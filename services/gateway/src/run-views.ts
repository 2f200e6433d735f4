import type { EventStore, StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { isTombstone, unreadableEvents } from '@platen/shared/event-store/quarantine.ts'
import { aggregateIdOf, categoryOf } from '@platen/shared/event-store/stream-name.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import { runProjection } from '@platen/shared/projections/run-projection.ts'
import { openViewDatabase } from '@platen/shared/projections/view-database.ts'
import { ViewLevel } from '@platen/shared/projections/view-level.ts'
import { DependencyUnavailable } from '@platen/shared/runtime/errors.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import type { Registry } from 'prom-client'
import { type ApiKeyView, apiKeyView } from './api-keys/api-key-view.ts'
import { type OwnerView, ownerView } from './api-keys/owner-view.ts'
import { type GenerationView, generationView } from './generations/generation-view.ts'
import { type TemplateView, templateView } from './templates/template-view.ts'
import { viewSchema } from './views/view-schema.ts'
import { ViewUpdates } from './views/view-updates.ts'

/** The views that queries are answered from. */
export interface Views extends AsyncDisposable {
  templates: TemplateView
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

/** Opens the views and keeps them up to date until disposal. */
export function runViews({ path, store, log, metrics, fail }: ViewsOptions): Views {
  const database = openViewDatabase(path, viewSchema)
  const apiKeys = apiKeyView(database.db)
  const views = {
    template: templateView(database.db),
    generation: generationView(database.db, apiKeys),
    apikey: apiKeys,
    keyuse: { apply: apiKeys.applyUse, remove: () => {} },
    owner: ownerView(database.db),
  }
  const categories = Object.keys(views)
  const updates = new ViewUpdates()
  const level = new ViewLevel({ store, categories, view: database, timeoutMs: levelTimeoutMs })
  const stop = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  let state: 'behind' | 'current' | 'disconnected' | 'faulty' = 'behind'
  let hasCaughtUp = false
  let applied = 0

  const following = runProjection({
    store,
    categories,
    view: database,
    apply: applyTo(views),
    onIgnored: ({ stream }) => unreadableEvents(metrics).inc({ category: categoryOf(stream) }),
    onApplied(events) {
      applied += events.length
      updates.notify(events.map(({ stream }) => aggregateIdOf(stream)))
      level.applied(events)
    },
    onCaughtUp() {
      state = 'current'
      hasCaughtUp = true
      caughtUp.resolve()
    },
    onLost() {
      state = 'disconnected'
    },
    onFault() {
      state = 'faulty'
    },
    log,
    signal: stop.signal,
  })
  // The first failure is that of the start. Later ones end the process.
  const running = following.catch((err) => {
    caughtUp.reject(err)
    if (hasCaughtUp) fail(err)
  })
  const progress = setInterval(() => {
    if (state === 'behind') log.info({ events: applied }, 'catching up the views with the event store')
  }, progressEveryMs)
  caughtUp.promise.catch(() => {}).finally(() => clearInterval(progress))

  return {
    templates: views.template,
    generations: views.generation,
    apiKeys,
    owners: views.owner,
    updates,
    caughtUp: caughtUp.promise,
    level: () => level.reached(),
    check: {
      name: 'views',
      async check() {
        if (state !== 'current') throw new DependencyUnavailable(`the views are ${state}`)
      },
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      clearInterval(progress)
      await running
      database[Symbol.dispose]()
    },
  }
}

interface View {
  apply(event: StoredEvent): void
  /** Called when an operator has deleted the stream of an aggregate for good. */
  remove(id: string): void
}

function applyTo(views: Record<string, View>) {
  return (event: StoredEvent) => {
    const view = views[categoryOf(event.stream)]
    if (isTombstone(event)) view?.remove(aggregateIdOf(event.stream))
    else view?.apply(event)
  }
}
