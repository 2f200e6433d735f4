import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { readingInTime } from '@platen/event-store/read-in-time.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { serveInputKeys } from '@platen/service-kit/inputs/input-keys.ts'
import { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { openSchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import type { FastifyPluginAsync } from 'fastify'
import { administration } from './administration/administration.ts'
import { assets } from './assets/assets.ts'
import { batches } from './batches/batches.ts'
import { compareGenerations } from './comparisons/compare-generations.ts'
import { compareRoutes } from './comparisons/compare-routes.ts'
import type { GatewayConfig } from './config.ts'
import { deadLetterRoutes } from './dead-letters/dead-letter-routes.ts'
import { deliveryRoutes } from './deliveries/delivery-routes.ts'
import { eventLog } from './event-log/event-log.ts'
import { fileRoutes, generationFileRoute } from './files/file-routes.ts'
import type { AnswerOptions } from './generations/answer-generation.ts'
import { Congestion } from './generations/congestion.ts'
import { openGenerations } from './generations/generations.ts'
import { createUrls } from './http/urls.ts'
import { IdempotencyEntries } from './idempotency/idempotency-entries.ts'
import { CommandLimiter } from './limits/command-limiter.ts'
import { limitWork } from './limits/limit-work.ts'
import { RequestLimiter } from './limits/request-limiter.ts'
import { WorkLimiter } from './limits/work-limiter.ts'
import { commandClient } from './messaging/command-client.ts'
import { sharedCommands } from './messaging/shared-commands.ts'
import { openPartials } from './partials/partials.ts'
import { pdfRoutes } from './pdf-tools/pdf-routes.ts'
import { previewRoute } from './previews/preview-route.ts'
import { statusRoutes } from './status/status-routes.ts'
import { openTemplates } from './templates/templates.ts'
import { publishedEvents } from './views/published-events.ts'
import type { Views } from './views/run-views.ts'
import { webhookSecretRoutes } from './webhooks/webhook-secret-routes.ts'
import { webhookTestRoutes } from './webhooks/webhook-test-routes.ts'

export interface ResourcesOptions {
  config: GatewayConfig
  bus: Bus
  store: EventStore
  objects: ObjectStore
  retention: ObjectRetention
  views: Views
  inbox: Inbox
  log: Logger
  /** Identifies this process among those that may hold a lease. */
  instance: string
  hasEnded: (instance: string) => boolean
  /** The identity of the deployment. Waits while the event store is unavailable. */
  deployment: () => Promise<string>
  /** Folders of this process, whose disks are watched. */
  diskPaths: Iterable<string>
  /** A function because the default URL is known only after a port is bound. */
  publicUrl: () => string
  /** Aborts when the gateway is about to close. */
  stopping: AbortSignal
}

export interface Resources {
  withKey: FastifyPluginAsync
  /** Authorized by a signature in the URL. */
  withoutKey: FastifyPluginAsync
  /** What a request for a generation is answered with. */
  answering: AnswerOptions
  /** How many asynchronous generations are queued or being rendered. Rejects while NATS does not count them. */
  countQueued(): Promise<number>
}

/** How long a request waits for the event store. */
const readTimeoutMs = 1_500

/** The resources under `/v1`. Each brings its routes, and is given what it needs of the others. */
export function openResources(options: ResourcesOptions): Resources {
  const {
    config,
    bus,
    store,
    objects,
    retention,
    views,
    inbox,
    log,
    instance,
    hasEnded,
    publicUrl,
    stopping,
    deployment,
    diskPaths,
  } = options
  const { apiKeys, owners, untilCaughtUp } = views
  const reader = readingInTime(store, readTimeoutMs)
  const signing = signingFrom(config.signingSecret)
  const urls = createUrls({ publicUrl, signing, fileUrlTtlS: config.fileUrlTtlS, clock: bus.clock })
  const client = commandClient(bus, inbox)
  const common = { views, reader, published: publishedEvents(bus), idempotency: new IdempotencyEntries(bus), urls }
  const limiter = new WorkLimiter()
  const commandLimiter = new CommandLimiter(client, { hasVisitor: (apiKeyId) => limiter.hasVisitor(apiKeyId) })
  const changes = sharedCommands(commandLimiter)
  const templates = openTemplates({ ...common, client: changes })
  const partials = openPartials({ ...common, client: changes })
  const schemas = openSchemaChecker()
  const printing = {
    config,
    bus,
    schemas,
    newestPins: partials.newestPins,
    templates: templates.templates,
    labels: templates.labels,
    readVersion: templates.readVersion,
    congestion: new Congestion(),
    limiter: new RequestLimiter({ atOnce: config.requestsAtOnce, maxWaitMs: config.syncTimeoutMs }),
    // Others of the owner would wait behind PDFs that take long to compare until they are late.
    comparisons: new Places({ all: 32, atMost: 4 }),
  }
  const keptInputs = new KeptInputs({ bus, objects })
  const inputKeys = serveInputKeys(bus, { keyOf: (objectKey) => keptInputs.keyOf(objectKey), log })
  const stored = { store, objects, keptInputs, retention }
  const generations = openGenerations({ ...common, ...printing, ...stored, inbox, client, stopping, log })
  const { finder, queue } = generations
  return {
    answering: generations.answering,
    countQueued: () => generations.queuePlaces.taken(),
    async withKey(app) {
      app.addHook('onClose', () => schemas[Symbol.asyncDispose]())
      app.addHook('onClose', async () => inputKeys[Symbol.dispose]())
      app.register(limitWork, { limiter })
      app.register(templates.routes)
      app.register(compareRoutes, printing)
      app.register(compareGenerations, { ...printing, finder, objects, retention })
      const { templates: view } = views
      app.register(assets, {
        store,
        reader,
        objects,
        urls,
        limits: config.assets,
        templates: view,
        versions: views.assets,
        untilCaughtUp,
      })
      app.register(partials.routes)
      app.register(generations.routes)
      app.register(pdfRoutes, { ...generations.answering, reader })
      app.register(batches, {
        ...common,
        ...printing,
        store,
        objects,
        retention,
        client,
        instance,
        hasEnded,
        log,
        untilCaughtUp,
        stopping,
        batches: views.batches,
        generations: views.generations,
        updates: views.updates,
        finder,
        maxQueued: config.maxQueued,
        queuePlaces: generations.queuePlaces,
        queue,
        generationQueue: generations.generationQueue,
      })
      app.register(previewRoute, printing)
      const { deliveries } = views
      app.register(deliveryRoutes, { bus, store: reader, finder, client: changes, deliveries, untilCaughtUp })
      app.register(generationFileRoute, { finder, objects, retention, clock: bus.clock })
      app.register(webhookSecretRoutes, { signing, store, untilCaughtUp })
      app.register(webhookTestRoutes, { bus, policy: config })
      app.register(eventLog, { store, reader, stopping })
      app.register(deadLetterRoutes, { bus, inbox, objects, finder, queue, generations: views.generations })
      app.register(statusRoutes, {
        generations: views.generations,
        queue,
        stopping,
        sources: {
          openBus: async () => bus,
          openStore: async () => store,
          openObjects: async () => objects,
          storeName: () => 'ok',
          objectsName: () => 'ok',
          deployment,
          folders: () => [...diskPaths],
          mostEventsBehind: 1_000,
        },
      })
      app.register(administration, { apiKeys, owners, store, untilCaughtUp, urls })
    },
    async withoutKey(app) {
      app.register(fileRoutes, { finder, objects, signing, retention, clock: bus.clock })
    },
  }
}
