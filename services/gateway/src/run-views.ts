import type { EventStore, StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { InvalidPosition } from '@platen/shared/event-store/event-store.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import { runProjection } from '@platen/shared/projections/projection.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { sleep } from '@platen/shared/runtime/sleep.ts'
import { type ApiKeyView, apiKeyView } from './api-keys/api-key-view.ts'
import { type GenerationView, generationView } from './generations/generation-view.ts'
import { aggregateId } from './templates/template-record.ts'
import { type TemplateView, templateView } from './templates/template-view.ts'
import { type Changes, openChanges } from './views/changes.ts'
import { openViewsDatabase, type ViewsDatabase } from './views/views-database.ts'

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
const pauseAfterFaultMs = 1_000

/** Opens the views and keeps them fed until they are disposed of. */
export function runViews({ path, store, log }: ViewsOptions): Views {
  const database = openViewsDatabase(path)
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

  const feed = () =>
    runProjection({
      store,
      categories: Object.keys(views),
      checkpoint: database.checkpoint(),
      apply(events, position) {
        database.advance(position, () => events.forEach(applyTo(views)))
        applied += events.length
        changes.announce(events.map(({ stream }) => aggregateId(stream)))
      },
      signal: stop.signal,
      log,
      onCaughtUp() {
        state = 'current'
        caughtUp.resolve()
      },
    })

  const running = keepFeeding(feed, { database, log, signal: stop.signal, onFault: () => (state = 'faulty') })
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

interface Feeding {
  database: ViewsDatabase
  log: Logger
  signal: AbortSignal
  onFault: () => void
}

/** A store that was replaced leaves no use for what was read from the one before; other faults are tried again. */
async function keepFeeding(feed: () => Promise<void>, { database, log, signal, onFault }: Feeding): Promise<void> {
  while (!signal.aborted) {
    try {
      await feed()
    } catch (err) {
      onFault()
      log.error({ err }, 'the views cannot follow the log, trying again')
      if (err instanceof InvalidPosition) database.clear()
      await sleep(pauseAfterFaultMs, signal)
    }
  }
}
