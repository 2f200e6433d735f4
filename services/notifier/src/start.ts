import { dirname } from 'node:path'
import { parseEvent } from '@platen/domain/catalogue/parse-event.ts'
import { DeliveryCommand } from '@platen/domain/delivery/delivery.ts'
import { webhookHeader } from '@platen/domain/generation/generation-events.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { consumers, streams } from '@platen/domain/streams/subjects.ts'
import { serveConsumerRequests } from '@platen/domain/streams/subscriber-consumers.ts'
import { unreadableEvents } from '@platen/event-store/with-catalogue.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import { type Consumption, consume } from '@platen/messaging/consume/consume.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { commandParser } from '@platen/messaging/envelopes/command-codec.ts'
import { answering } from '@platen/messaging/requests/reply.ts'
import type { DurableConsumer } from '@platen/messaging/streams/streams.ts'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import type { HealthCheck } from '@platen/service-kit/host/health.ts'
import { addLiveGauge } from '@platen/service-kit/host/live-gauge.ts'
import { announceService } from '@platen/service-kit/host/presence-metrics.ts'
import { SubscriptionHealth } from '@platen/service-kit/host/subscription-health.ts'
import { ViewLag } from '@platen/service-kit/projections/view-lag.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import type { NotifierConfig } from './config.ts'
import { attemptDelivery } from './handlers/attempt-delivery.ts'
import { handleEndedBatch } from './handlers/handle-ended-batch.ts'
import { handleEndedGeneration } from './handlers/handle-ended-generation.ts'
import { redeliverDeliveries } from './handlers/redeliver-deliveries.ts'
import { serveTestWebhooks } from './handlers/test-webhooks.ts'
import { runJanitor } from './janitor/run-janitor.ts'
import { AttemptClaims } from './schedule/attempt-claims.ts'
import { DeliverySchedule } from './schedule/delivery-schedule.ts'
import { openDueView } from './schedule/due-view.ts'
import { openRepairingView } from './schedule/repairing-view.ts'
import { UnreadFiles } from './schedule/unread-files.ts'
import { runSupervisor } from './supervisor/run-supervisor.ts'

const eventConcurrency = 16
const commandConcurrency = 4

const categories = ['delivery', 'endpoint']
const endings = [consumers.completed, consumers.failed, consumers.cancelled]
const parseCommand = commandParser(DeliveryCommand)

/** Sends webhooks: schedules a delivery for each ended generation that asks for one, and makes its attempts. */
export async function startNotifier(
  config: NotifierConfig,
  services: BackingServices,
): Promise<AsyncDisposable & { checks: HealthCheck[] }> {
  await using resources = new AsyncDisposableStack()
  const { bus, store, objects, instance, hasEnded } = services
  const log = services.log.child({ service: 'notifier' })
  await services.streams.require({
    streams: [streams.deadLetters],
    consumers: [...endings, consumers.batchEnded, consumers.delivery],
    buckets: [buckets.leases, buckets.checkpoints, buckets.deliveryClaims],
  })
  resources.use(serveConsumerRequests(bus))
  const repairing = resources.use(openRepairingView(config.viewPath, openDueView))
  const { view } = repairing
  services.diskPaths.add(dirname(config.viewPath))
  const stop = new AbortController()
  const stopping = stop.signal
  const relay = await startRelay({
    ...services,
    service: 'notifier',
    partitions: config.relayPartitions,
    log,
    stopping,
  })
  resources.defer(async () => {
    stop.abort()
    await relay.done
  })
  const signing = signingFrom(config.signingSecret)
  // Of one server for all notifiers: what one of them puts off, another one makes.
  const now = () => bus.clock.now()
  const common = { ...config, store, signing, now, random: Math.random, log }

  resources.use(serveTestWebhooks(bus.nats, common))

  const consumeEvents = (consumer: DurableConsumer, handle: Consumption<CloudEvent>['handle']) =>
    consume({
      bus,
      consumer,
      handle,
      log,
      stopping,
      concurrency: eventConcurrency,
      parse: (message) => parseEvent(message.data),
      traceContext: (event) => event,
    })
  const endedGenerations = endings.map((durable) =>
    consumeEvents(durable, (event, { headers }) => {
      const hasWebhook = headers?.get(webhookHeader.name) !== webhookHeader.none
      return handleEndedGeneration(common, event, { hasWebhook })
    }),
  )
  const endedBatches = consumeEvents(consumers.batchEnded, (event) => handleEndedBatch(common, event))

  const commands = consume({
    bus,
    consumer: consumers.delivery,
    concurrency: commandConcurrency,
    parse: (message) => parseCommand(message.data),
    traceContext: ({ metadata }) => metadata,
    ...answering(bus.nats, (command: Envelope<DeliveryCommand>) => redeliverDeliveries({ ...common, view }, command)),
    log,
    stopping,
  })

  const wakeUp = new WakeUp()
  const caughtUp = Promise.withResolvers<void>()
  const health = new SubscriptionHealth('deliveries')
  const lag = resources.use(new ViewLag(services.metrics))
  const shown = [
    {
      name: 'platen_deliveries_pending',
      help: 'Webhooks that wait for their first attempt or their next one',
      read: view.pending,
    },
    {
      name: 'platen_delivery_overdue_seconds',
      help: 'For how long the oldest attempt of a webhook has been due; 0 if none is due',
      read: () => Math.max(0, now() - (view.nextAtMs(0) ?? now())) / 1_000,
    },
    {
      name: 'platen_webhook_receivers',
      help: 'Receivers of webhooks whose last attempts have all failed (failing), or that get none any more (disabled)',
      label: 'state',
      read: view.receivers,
    },
  ]
  for (const gauge of shown) resources.use(addLiveGauge(services.metrics, gauge))
  const projection = repairing
    .follow({
      store,
      categories,
      onApplied: wakeUp.wake,
      onIgnored: () => unreadableEvents(services.metrics).inc({ category: 'delivery' }),
      onCaughtUp() {
        health.recovered()
        lag.recovered()
        caughtUp.resolve()
      },
      onLost(err) {
        health.lost(err)
        lag.lost()
      },
      onFault(err) {
        health.lost(err instanceof Error ? err : new Error(String(err)))
        lag.lost()
      },
      log,
      signal: stopping,
    })
    .catch(services.fail)
  const claims = new AttemptClaims(bus, instance, { hasEnded })
  const readFile = (key: string) =>
    objects.get(key).catch((err) => {
      if (err instanceof ObjectNotFound) return undefined
      throw err
    })
  const unreadFiles = new UnreadFiles({ ...config.unreadFiles, check: () => objects.check() })
  const ofAttempts = { ...common, claims, readFile, unreadFiles, endpoint: view.endpoint, stopping }
  // Attempts begin when the view has caught up. Before, it shows attempts that were made already.
  const attempts = Promise.race([caughtUp.promise, projection]).then(() =>
    new DeliverySchedule({
      view,
      wakeUp,
      limits: config.concurrency,
      attempt: (due) => attemptDelivery(ofAttempts, due),
      now,
      log,
      stopping,
    }).run(),
  )

  const supervisor = runSupervisor(config.supervisor, { ...services, log }, stopping)
  const janitor = runJanitor({ ...services, log }, stopping)
  resources.defer(async () => {
    stop.abort()
    await Promise.all([...endedGenerations, endedBatches, commands, projection, attempts, supervisor, janitor])
  })
  resources.use(announceService(services, 'notifier'))
  return Object.assign(resources.move(), { checks: [relay.check, health] })
}
