import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { readingInTime } from '@platen/event-store/read-in-time.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { openSchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import type { FastifyPluginAsync } from 'fastify'
import { keyRoutes } from './administration/key-routes.ts'
import { ownerRoutes } from './administration/owner-routes.ts'
import { assetContentRoutes } from './assets/asset-content-routes.ts'
import { assetRoutes } from './assets/asset-routes.ts'
import type { GatewayOptions } from './build-gateway.ts'
import { deliveryRoutes } from './deliveries/delivery-routes.ts'
import { fileRoutes, generationFileRoute } from './files/file-routes.ts'
import { Congestion } from './generations/congestion.ts'
import { generationFinder } from './generations/find-generation.ts'
import { generateRoute } from './generations/generate-route.ts'
import { generationRoutes } from './generations/generation-routes.ts'
import type { QueueDepth } from './generations/queue-depth.ts'
import { QueuedByKey } from './generations/queued-by-key.ts'
import { queuedGenerations } from './generations/queued-generations.ts'
import { RequestTurns } from './generations/request-turns.ts'
import { createUrls } from './http/urls.ts'
import { IdempotencyEntries } from './idempotency/idempotency-entries.ts'
import { commandClient } from './messaging/command-client.ts'
import { CommandTurns } from './messaging/command-turns.ts'
import { currentPartials } from './partials/current-partials.ts'
import { newestPins } from './partials/newest-pins.ts'
import { partialCommands } from './partials/partial-commands.ts'
import { partialHistoryRoutes } from './partials/partial-history-routes.ts'
import { partialRoutes } from './partials/partial-routes.ts'
import { previewRoute } from './previews/preview-route.ts'
import { currentLabels } from './templates/current-labels.ts'
import { currentTemplates } from './templates/current-templates.ts'
import { labelRoutes } from './templates/label-routes.ts'
import { templateCommands } from './templates/template-commands.ts'
import { templateRoutes } from './templates/template-routes.ts'
import { versionReader } from './templates/version-reader.ts'
import { versionRoutes } from './templates/version-routes.ts'
import { isFinal } from './views/generation-record.ts'
import { levelView } from './views/level-view.ts'
import { publishedEvents } from './views/published-events.ts'
import { webhookSecretRoutes } from './webhooks/webhook-secret-routes.ts'

export interface ApiRoutes {
  withKey: FastifyPluginAsync
  /** Authorized by a signature in the URL. */
  withoutKey: FastifyPluginAsync
}

/** How long a request waits for the event store. */
const readTimeoutMs = 1_500

/** The routes under `/v1` with their dependencies. */
export function apiRoutes(options: GatewayOptions, queueDepth: QueueDepth): ApiRoutes {
  const { config, bus, store, objects, retention, views, inbox, publicUrl, stopping } = options
  const { generations, apiKeys, updates } = views
  const reader = readingInTime(store, readTimeoutMs)
  const signing = signingFrom(config.signingSecret)
  const urls = createUrls({ publicUrl, signing, fileUrlTtlS: config.fileUrlTtlS })
  const queue = queuedGenerations(bus)
  const finder = generationFinder({ view: generations, queue, store: reader })
  const idempotency = new IdempotencyEntries(bus)
  const client = commandClient(bus, inbox)
  const inTurn = new CommandTurns(client)
  const published = publishedEvents(bus)
  const templates = currentTemplates({ view: views.templates, store: reader, published })
  const labels = currentLabels({ view: views.labels, store: reader })
  const { level } = views
  const templatesLevel = levelView({ category: 'template', level, published, view: views.templates })
  const partials = currentPartials({ view: views.partials, store: reader, published })
  const partialsLevel = levelView({ category: 'partial', level, published, view: views.partials })
  const generationsLevel = levelView({ category: 'generation', level, published, view: generations })
  const commands = templateCommands({ client: inTurn, templates })
  const assets = { store, objects, libraries: new AssetLibraries(reader), limits: config.assets }
  const queuedByKey = new QueuedByKey()
  const congestion = new Congestion()
  const turns = new RequestTurns({ atOnce: config.requestsAtOnce, maxWaitMs: config.syncTimeoutMs })
  const readVersion = versionReader(templates)
  const pins = newestPins({ view: views.partials, level: partialsLevel })
  updates.onNotify((ids) => {
    for (const id of ids) {
      const record = queuedByKey.has(id) ? generations.find(id) : undefined
      if (record && isFinal(record)) queuedByKey.ended(id)
    }
  })
  return {
    async withKey(app) {
      const schemas = openSchemaChecker()
      app.addHook('onClose', () => schemas[Symbol.asyncDispose]())
      app.register(templateRoutes, {
        view: views.templates,
        labelView: views.labels,
        templates,
        labels,
        level: templatesLevel,
        commands,
        idempotency,
        urls,
      })
      app.register(assetRoutes, { ...assets, urls })
      app.register(assetContentRoutes, { ...assets, templates: views.templates, level: templatesLevel })
      const partialReads = { view: views.partials, partials, level: partialsLevel }
      app.register(partialHistoryRoutes, partialReads)
      app.register(partialRoutes, {
        ...partialReads,
        commands: partialCommands(inTurn, partials),
        idempotency,
        urls,
      })
      app.register(versionRoutes, { templates, labels, commands, store: reader })
      app.register(labelRoutes, { templates, commands })
      app.register(generateRoute, {
        config,
        bus,
        objects,
        inbox,
        generations,
        updates,
        newestPins: pins,
        templates,
        readVersion,
        labels,
        schemas,
        finder,
        idempotency,
        queueDepth,
        congestion,
        queuedByKey,
        turns,
        urls,
      })
      app.register(previewRoute, {
        config,
        bus,
        templates,
        readVersion,
        labels,
        schemas,
        newestPins: pins,
        congestion,
        turns,
      })
      app.register(generationRoutes, {
        generations,
        templates,
        level: generationsLevel,
        updates,
        finder,
        queue,
        client,
        urls,
        stopping,
      })
      app.register(deliveryRoutes, { store: reader, finder, client })
      app.register(generationFileRoute, { finder, objects, retention })
      app.register(webhookSecretRoutes, { signing, store, level })
      app.register(keyRoutes, { apiKeys, store, level, urls })
      app.register(ownerRoutes, { owners: views.owners, store, level, urls })
    },
    async withoutKey(app) {
      app.register(fileRoutes, { finder, objects, signing, retention })
    },
  }
}
