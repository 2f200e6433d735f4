import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { PartialCommand } from '@platen/domain/partial/partial.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { consumers, streams } from '@platen/domain/streams/subjects.ts'
import { TemplateCommand } from '@platen/domain/template/template.ts'
import { AppendTooLarge } from '@platen/event-store/event-store.ts'
import { type Envelope, isPastDeadline } from '@platen/foundation/command.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { consume } from '@platen/messaging/consume/consume.ts'
import { commandParser } from '@platen/messaging/envelopes/command-codec.ts'
import { answering } from '@platen/messaging/requests/reply.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { announceService } from '@platen/service-kit/host/presence-metrics.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { openSchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import { openTemplateEngine, type TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { Type } from 'typebox'
import type { TemplateConfig } from './config.ts'
import { handlePartialCommand } from './handlers/handle-partial-command.ts'
import { handleTemplateCommand } from './handlers/handle-template-command.ts'
import { inOrder, refuseIfAnswered } from './handlers/in-order.ts'
import { openPartialResolver } from './handlers/resolve-partials.ts'

/** Every command of this service. */
const TemplateServiceCommand = Type.Union([TemplateCommand, PartialCommand])
type TemplateServiceCommand = TemplateCommand | PartialCommand

const parse = commandParser(TemplateServiceCommand)
/** A command mostly waits, for a worker or for the event store. The gateway gives an API key a quarter: command-turns.ts. */
const concurrency = 16

/**
 * Consumes the commands of templates and partials, records their events and publishes these to the stream EVENTS. Resolves when
 * a template worker has started. With `shared` it has no threads of its own.
 */
export async function startTemplate(
  config: TemplateConfig,
  services: BackingServices,
  shared?: TemplateEngine,
): Promise<AsyncDisposable & { checks: HealthCheck[] }> {
  await using resources = new AsyncDisposableStack()
  const { bus, store } = services
  const log = logOf(services)
  const engine = shared ?? resources.use(openTemplateEngine({ log, ...config }))
  await services.streams.require({
    streams: [streams.events, streams.deadLetters],
    consumers: [consumers.template],
    buckets: [buckets.leases, buckets.checkpoints],
  })
  const schemas = resources.use(openSchemaChecker())
  const stop = new AbortController()
  const stopping = stop.signal

  const relay = await startRelay({
    ...services,
    service: 'template',
    partitions: config.relayPartitions,
    log,
    stopping,
  })
  resources.defer(async () => {
    stop.abort()
    await relay.done
  })

  const now = () => bus.clock.now()
  const resolvePartials = openPartialResolver(store, engine)
  const libraries = new AssetLibraries(store)
  const handler = answering(bus.nats, async (command: Envelope<TemplateServiceCommand>, raw) => {
    if (isPastDeadline(command.metadata, now())) {
      const { correlation_id: request_id, deadline } = command.metadata
      log.warn({ request_id, deadline }, `${command.type} arrived after its deadline; refused unless it is executed`)
    }
    const beforeAppend = () => refuseIfAnswered(bus, raw)
    const common = { store, engine, resolvePartials, now, beforeAppend }
    try {
      if (isPartialCommand(command)) return await handlePartialCommand(common, command)
      return await handleTemplateCommand({ ...common, libraries, schemas }, command)
    } catch (cause) {
      if (!(cause instanceof AppendTooLarge)) throw cause
      throw new DomainError('PAYLOAD_TOO_LARGE', 'What is to be saved is too large for the event store', { cause })
    }
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
  resources.use(announceService(services, 'template'))
  return Object.assign(resources.move(), { checks: [relay.check] })
}

const logOf = ({ log }: BackingServices) => log.child({ service: 'template' })

function isPartialCommand(command: Envelope<TemplateServiceCommand>): command is Envelope<PartialCommand> {
  return 'partial_id' in command.data
}
