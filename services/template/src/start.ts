import { AssetLibraries } from '@platen/shared/assets/asset-libraries.ts'
import { type Envelope, isPastDeadline } from '@platen/shared/contracts/command.ts'
import type { PartialCommand } from '@platen/shared/contracts/partial.ts'
import { consumers, streams } from '@platen/shared/contracts/subjects.ts'
import { TemplateServiceCommand } from '@platen/shared/contracts/template-service.ts'
import { openSchemaChecker } from '@platen/shared/data-schema/schema-checker.ts'
import { openTemplateEngine, type TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import type { BackingServices } from '@platen/shared/host/backing-services.ts'
import type { HealthCheck } from '@platen/shared/host/health.ts'
import { commandParser } from '@platen/shared/messaging/codec/command-codec.ts'
import { consume } from '@platen/shared/messaging/consume/consume.ts'
import { inOrder } from '@platen/shared/messaging/consume/in-order.ts'
import { answering } from '@platen/shared/messaging/requests/reply.ts'
import { buckets } from '@platen/shared/messaging/streams/buckets.ts'
import { startRelay } from '@platen/shared/relay/relay.ts'
import { retryWhileUnavailable } from '@platen/shared/runtime/retry-while-unavailable.ts'
import type { TemplateConfig } from './config.ts'
import { handlePartialCommand } from './handlers/handle-partial-command.ts'
import { handleTemplateCommand } from './handlers/handle-template-command.ts'
import { openPartialResolver } from './handlers/resolve-partials.ts'

const parse = commandParser(TemplateServiceCommand)

/**
 * Consumes the commands of templates and partials, records their events and publishes these to the stream EVENTS. Resolves when
 * a template worker has started. `engine` is disposed of with the service.
 */
export async function startTemplate(
  { concurrency }: TemplateConfig,
  services: BackingServices,
  engine: TemplateEngine = openTemplateEngine({ log: logOf(services) }),
): Promise<AsyncDisposable & { checks: HealthCheck[] }> {
  await using resources = new AsyncDisposableStack()
  resources.use(engine)
  const { bus, store } = services
  const log = logOf(services)
  await services.streams.require({
    streams: [streams.events, streams.dead],
    consumers: [consumers.template],
    buckets: [buckets.leases, buckets.checkpoints],
  })
  const schemas = resources.use(openSchemaChecker())
  const stop = new AbortController()
  const stopping = stop.signal

  const relay = await startRelay({ ...services, service: 'template', log, stopping })
  resources.defer(async () => {
    stop.abort()
    await relay.done
  })

  const now = Date.now
  const resolvePartials = openPartialResolver(store, engine)
  const libraries = new AssetLibraries(store)
  const handler = answering(bus.nats, async (command: Envelope<TemplateServiceCommand>) => {
    if (isPastDeadline(command.metadata, now())) {
      const { correlation_id: request_id, deadline } = command.metadata
      log.warn({ request_id, deadline }, `${command.type} arrived after its deadline; refused unless it is executed`)
    }
    if (isPartialCommand(command)) return handlePartialCommand({ store, engine, resolvePartials, now }, command)
    return handleTemplateCommand({ store, engine, resolvePartials, libraries, schemas, now }, command)
  })
  // On a busy machine the workers need seconds to start. A command that is taken before waits for them, and its client has a
  // 503 then, while another process could execute it at once.
  await retryWhileUnavailable(() => engine.check(''), { log, stopping })
  const commands = consume({
    bus,
    consumer: consumers.template,
    concurrency,
    parse: (message) => parse(message.data),
    traceContext: ({ metadata }) => metadata,
    ...handler,
    handle: inOrder({ bus, now, stopping }, handler.handle),
    log,
    stopping,
  })
  resources.defer(async () => {
    stop.abort()
    await commands
  })
  return Object.assign(resources.move(), { checks: [relay.check] })
}

const logOf = ({ log }: BackingServices) => log.child({ service: 'template' })

function isPartialCommand(command: Envelope<TemplateServiceCommand>): command is Envelope<PartialCommand> {
  return 'partial_id' in command.data
}
