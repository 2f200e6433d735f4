import { signingFrom } from '@platen/shared/signing/signing.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { GatewayOptions } from './build-gateway.ts'
import { openAsk } from './commands/ask.ts'
import { cancelCommands } from './commands/cancel-command.ts'
import { templateCommands } from './commands/template-commands.ts'
import { addresses as addressesOf } from './generations/addresses.ts'
import { generationFinder } from './generations/find-generation.ts'
import { idempotencyEntries } from './idempotency/idempotency-entries.ts'
import type { QueueDepth } from './queue/queue-depth.ts'
import { queuedGenerations } from './queue/queued-generations.ts'
import { fileRoutes } from './routes/files.ts'
import { generateRoutes } from './routes/generate.ts'
import { generationRoutes } from './routes/generations.ts'
import { templateRoutes } from './routes/templates.ts'
import { webhookSecretRoutes } from './routes/webhook-secret.ts'

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
