import { signingFrom } from '@platen/shared/signing/signing.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { GatewayOptions } from './build-gateway.ts'
import { fileRoutes } from './files/file-routes.ts'
import { cancelCommands } from './generations/cancel-command.ts'
import { generationFinder } from './generations/find-generation.ts'
import { generateRoutes } from './generations/generate-route.ts'
import { generationRoutes } from './generations/generation-routes.ts'
import type { QueueDepth } from './generations/queue-depth.ts'
import { queuedGenerations } from './generations/queued-generations.ts'
import { addresses as addressesOf } from './http/urls.ts'
import { idempotencyEntries } from './idempotency/idempotency-entries.ts'
import { openAsk } from './messaging/command-client.ts'
import { templateCommands } from './templates/template-commands.ts'
import { templateRoutes } from './templates/template-routes.ts'
import { webhookSecretRoutes } from './webhooks/webhook-secret-routes.ts'

export interface ApiRoutes {
  withKey: FastifyPluginAsync
  /** Signed addresses. */
  open: FastifyPluginAsync
}

/** The routes under `/v1`, each given its parts. */
export function apiRoutes(options: GatewayOptions, depth: QueueDepth): ApiRoutes {
  const { config, bus, store, objects, views, inbox, publicUrl, stopping } = options
  const { fileUrlTtlS, syncTimeoutMs, maxQueued, webhookAllowPrivate } = config
  const signing = signingFrom(config.signingSecret)
  const addresses = addressesOf({ publicUrl, signing, fileUrlTtlS })
  const queue = queuedGenerations(bus)
  const finder = generationFinder({ view: views.generations, queue, store })
  const idempotency = idempotencyEntries(bus)
  const ask = openAsk(bus, inbox)
  const commands = templateCommands({ ask, views, store })
  const { templates } = views
  return {
    async withKey(app) {
      app.register(templateRoutes, { templates, commands, idempotency, addresses })
      app.register(generateRoutes, {
        ...{ bus, objects, inbox, views, templates, finder, idempotency, depth, addresses },
        ...{ syncTimeoutMs, maxQueued, webhookAllowPrivate },
      })
      app.register(generationRoutes, { views, finder, queue, cancel: cancelCommands(ask), addresses, stopping })
      app.register(webhookSecretRoutes, { signing })
    },
    async open(app) {
      app.register(fileRoutes, { finder, objects, signing })
    },
  }
}
