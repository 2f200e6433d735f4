import type { EventStore, StoredEvent } from '@platen/shared/event-store/event-store.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import { runProjection } from '@platen/shared/projections/run-projection.ts'
import { openViewDatabase } from '@platen/shared/projections/view-database.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { type ApiKeyView, apiKeyView } from './api-keys/api-key-view.ts'
import { type GenerationView, generationView } from './generations/generation-view.ts'
import { aggregateId } from './templates/template-record.ts'
import { type TemplateView, templateView } from './templates/template-view.ts'
import { type Changes, openChanges } from './views/changes.ts'
import { viewSchema } from './views/view-schema.ts'

/** What the gateway answers queries from. */
export interface Views extends AsyncDisposable {
  templates: TemplateView
  generations: GenerationView
  apiKeys: ApiKeyView
  changes: Changes
  /** Resolves when all of history has been seen. */
  caughtUp: Promise<void>
  check: HealthCheck
}

export interface ViewsOptions {
  path: string
  store: EventStore
  log: Logger
}

const progressEveryMs = 2_000

/** Opens the views and keeps them fed until they are disposed of. */
export function runViews({ path, store, log }: ViewsOptions): Views {
  const database = openViewDatabase(path, viewSchema)
  const views = {
    template: templateView(database.db),
    generation: generationView(database.db),
    apikey: apiKeyView(database.db),
  }
  const changes = openChanges()
  const stop = new AbortController()
  const caughtUp = Promise.withResolvers<void>()
  let state: 'behind' | 'current' | 'faulty' = 'behind'
  let applied = 0

  const running = runProjection({
    store,
    categories: Object.keys(views),
    view: database,
    apply: applyTo(views),
    onApplied(events) {
      applied += events.length
      changes.announce(events.map(({ stream }) => aggregateId(stream)))
    },
    onCaughtUp() {
      state = 'current'
      caughtUp.resolve()
    },
    onFault() {
      state = 'faulty'
    },
    log,
    signal: stop.signal,
  })
  const progress = setInterval(() => {
    if (state === 'behind') log.info({ events: applied }, 'reading the log into the views')
  }, progressEveryMs)
  void caughtUp.promise.then(() => clearInterval(progress))

  return {
    templates: views.template,
    generations: views.generation,
    apiKeys: views.apikey,
    changes,
    caughtUp: caughtUp.promise,
    check: {
      name: 'views',
      async check() {
        if (state !== 'current') throw new Error(`the views are ${state}`)
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

function applyTo(views: Record<string, { apply(event: StoredEvent): void }>) {
  return (event: StoredEvent) => views[event.stream.slice(0, event.stream.indexOf('-'))]?.apply(event)
}
