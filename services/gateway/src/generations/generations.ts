import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import type { SchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import type { FastifyPluginAsync } from 'fastify'
import { resource } from '../http/resource.ts'
import type { Urls } from '../http/urls.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import type { RequestLimiter } from '../limits/request-limiter.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import type { NewestPins } from '../partials/newest-pins.ts'
import type { Templates } from '../templates/templates.ts'
import { caughtUpView } from '../views/caught-up-view.ts'
import { isFinal } from '../views/generation-record.ts'
import type { PublishedEvents } from '../views/published-events.ts'
import type { Views } from '../views/run-views.ts'
import type { WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import type { AnswerOptions } from './answer-generation.ts'
import type { Congestion } from './congestion.ts'
import { eraseRoute } from './erase-route.ts'
import { type GenerationFinder, generationFinder } from './find-generation.ts'
import { generateRoute } from './generate-route.ts'
import { GenerationQueue } from './generation-queue.ts'
import { generationRoutes } from './generation-routes.ts'
import type { RetainPolicy } from './keep-input.ts'
import { QueuePlaces } from './queue-places.ts'
import { QueuedByKey } from './queued-by-key.ts'
import { type QueuedGenerations, queuedGenerations } from './queued-generations.ts'
import { retryRoute } from './retry-route.ts'
import { timelineRoute } from './timeline-route.ts'

export interface GenerationsOptions extends Pick<Templates, 'templates' | 'labels' | 'readVersion'> {
  config: WebhookUrlPolicy & RetainPolicy & { maxQueued: number; syncTimeoutMs: number }
  bus: Bus
  inbox: Inbox
  objects: ObjectStore
  keptInputs: KeptInputs
  retention: ObjectRetention
  views: Pick<Views, 'generations' | 'apiKeys' | 'templates' | 'updates' | 'untilCaughtUp'>
  store: EventStore
  reader: StreamReader
  published: PublishedEvents
  client: CommandClient
  idempotency: IdempotencyEntries
  urls: Urls
  newestPins: NewestPins
  schemas: Pick<SchemaChecker, 'check'>
  congestion: Congestion
  limiter: RequestLimiter
  /** When it aborts, long polls are answered at once. */
  stopping: AbortSignal
  log: Logger
}

/** Routes of printed documents, and what other resources read of them. */
export interface Generations {
  finder: GenerationFinder
  queuePlaces: QueuePlaces
  queue: QueuedGenerations
  generationQueue: GenerationQueue
  /** For other resources that make generations. */
  answering: AnswerOptions
  routes: FastifyPluginAsync
}

export function openGenerations(options: GenerationsOptions): Generations {
  const { bus, views, reader, published } = options
  const { generations, updates } = views
  const queue = queuedGenerations(bus)
  const finder = generationFinder({ view: generations, queue, store: reader })
  const untilCaughtUp = caughtUpView({
    category: 'generation',
    untilCaughtUp: views.untilCaughtUp,
    published,
    view: generations,
  })
  const queuePlaces = new QueuePlaces(bus, options.config.maxQueued)
  const queuedByKey = new QueuedByKey()
  updates.onNotify((ids) => {
    for (const id of ids) {
      const record = queuedByKey.has(id) ? generations.find(id) : undefined
      if (record && isFinal(record)) queuedByKey.ended(id)
    }
  })
  const generationQueue = new GenerationQueue({ ...options, finder, queuePlaces, queuedByKey })
  const answering = { ...options, generations, updates, finder, generationQueue }
  return {
    finder,
    queuePlaces,
    queue,
    generationQueue,
    answering,
    routes: resource('generations', async (app) => {
      app.register(generateRoute, { ...options, ...answering })
      const { apiKeys, templates: templateView } = views
      const found = { generations, templateView, apiKeys, updates, untilCaughtUp, finder, queue }
      app.register(generationRoutes, { ...options, ...found })
      app.register(timelineRoute, { finder, store: reader, bus, objects: options.objects })
      app.register(retryRoute, { ...options, finder, generationQueue })
      app.register(eraseRoute, { ...options, finder, untilCaughtUp })
    }),
  }
}
