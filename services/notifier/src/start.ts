import { consumers } from '@platen/shared/contracts/subjects.ts'
import type { BackingServices } from '@platen/shared/host/backing-services.ts'
import { consume } from '@platen/shared/messaging/consume.ts'
import { parseCloudEvent } from '@platen/shared/messaging/event-codec.ts'
import { openConsumer } from '@platen/shared/messaging/streams.ts'
import { runProjection } from '@platen/shared/projections/run-projection.ts'
import { runRelay } from '@platen/shared/relay/relay.ts'
import { WakeUp } from '@platen/shared/runtime/wake-up.ts'
import { signingFrom } from '@platen/shared/signing/signing.ts'
import type { NotifierConfig } from './config.ts'
import { attemptDelivery } from './handlers/attempt-delivery.ts'
import { scheduleDelivery } from './handlers/schedule-delivery.ts'
import { openAttemptClaims } from './schedule/attempt-claims.ts'
import { openDueView } from './schedule/due-view.ts'
import { runSchedule } from './schedule/run-schedule.ts'

const schedulingConcurrency = 16

/** Tells webhooks how generations ended: schedules a delivery for each such event, and makes its attempts. */
export async function startNotifier(config: NotifierConfig, services: BackingServices): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack()
  const { bus, store, instance } = services
  const log = services.log.child({ service: 'notifier' })
  const view = resources.use(openDueView(config.viewPath))
  const stop = new AbortController()
  const stopping = stop.signal
  const common = { ...config, store, signing: signingFrom(config.signingSecret), now: Date.now, random: Math.random }

  const scheduling = [consumers.completed, consumers.failed].map((durable) =>
    consume({
      bus,
      open: () => openConsumer(bus, durable),
      concurrency: schedulingConcurrency,
      parse: (message) => parseCloudEvent(message.data),
      handle: (event) => scheduleDelivery(common, event),
      log,
      stopping,
    }),
  )

  const wakeUp = new WakeUp()
  const caughtUp = Promise.withResolvers<void>()
  const projection = runProjection({
    store,
    categories: ['delivery'],
    view: view.database,
    apply: view.apply,
    onApplied: wakeUp.wake,
    onCaughtUp: caughtUp.resolve,
    log,
    signal: stopping,
  })
  const claims = openAttemptClaims(bus, instance)
  // Until the view has all of history it shows attempts that were made long ago.
  const attempts = Promise.race([caughtUp.promise, projection]).then(() =>
    runSchedule({
      view,
      wakeUp,
      limits: config.concurrency,
      attempt: (due) => attemptDelivery({ ...common, claims, log, stopping }, due),
      now: Date.now,
      log,
      stopping,
    }),
  )

  const relay = runRelay({ service: 'notifier', categories: ['delivery'], instance, store, bus, log, stopping })
  resources.defer(async () => {
    stop.abort()
    await Promise.all([...scheduling, projection, attempts, relay])
  })
  return resources.move()
}
