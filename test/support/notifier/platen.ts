import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DeliveryEvent } from '@platen/domain/delivery/delivery-events.ts'
import type {
  GenerationEvent,
  GenerationOutcome,
  GenerationRequested,
} from '@platen/domain/generation/generation-events.ts'
import type { NewEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { NotifierConfig } from '@platen/notifier/config.ts'
import { startNotifier } from '@platen/notifier/start.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { startRelay } from '@platen/service-kit/relay/relay.ts'
import type { TestNatsServer } from '../nats-server.ts'
import { startBackingServices, type TestServices } from '../start-backing-services.ts'

export const signingSecret = '0123456789abcdef0123456789abcdef'
export const apiKeyId = 'key_test'
export const ownerId = 'own_00000000000000000000000000'

export interface Platen extends AsyncDisposable {
  nats: TestNatsServer
  services: BackingServices
  config: NotifierConfig
  notifier(changes?: Partial<NotifierConfig>, services?: BackingServices): Promise<AsyncDisposable>
  /** Opens the same engines once more, like another process. */
  open: TestServices['open']
  /** Sends a command as the gateway does and waits for the reply. */
  request: TestServices['request']
  /** Records the events of a generation and returns its id. */
  generate(
    webhookUrl: string | undefined,
    ending?: Ending,
    details?: Partial<GenerationRequested['data']>,
  ): Promise<string>
  /** The events of a generation's delivery so far. */
  recorded(generationId: string): Promise<DeliveryEvent[]>
  /** Waits for an event of this type, and resolves with the same events. */
  delivery(generationId: string, type: DeliveryEvent['type']): Promise<DeliveryEvent[]>
}

export type Ending = GenerationOutcome

export const completed: Ending = {
  type: 'GenerationCompleted',
  data: {
    object_key: 'pdfs/x.pdf',
    pages: 3,
    size: 12_345,
    sha256: 'ab',
    duration_ms: 420,
    phases: { queue_ms: 1, template_ms: 9, print_ms: 400, store_ms: 11 },
    engine: { name: 'test', version: '1', mode: 'static' },
    warnings: [],
  },
}

/** nats-server, a SQLite event store and the relay of a renderer. Tests append the events of generations. */
export async function startPlaten(): Promise<Platen> {
  await using resources = new AsyncDisposableStack()
  const { services, nats, folder, request, open } = resources.use(await startBackingServices())
  const { store } = services
  const stop = new AbortController()
  const relay = await startRelay({ ...services, service: 'renderer', stopping: stop.signal })
  resources.defer(async () => {
    stop.abort()
    await relay.done
  })
  const config = notifierConfig(folder)
  const owned = resources.move()
  return {
    nats,
    services,
    config,
    request,
    open,
    notifier: (changes = {}, opened = services) => startNotifier({ ...config, ...changes }, opened),
    async generate(webhook_url, ending = completed, details = {}) {
      const id = newId('pdf')
      const request = {
        owner_id: ownerId,
        api_key_id: apiKeyId,
        ...details,
        ...(webhook_url !== undefined && { webhook_url }),
      }
      const requested: GenerationEvent = { type: 'GenerationRequested', data: request }
      await store.append(`generation-${id}`, [newEvent(requested), newEvent(ending)], 'none')
      return id
    },
    recorded: (generationId) => deliveryOf(services, generationId),
    async delivery(generationId, type) {
      const signal = AbortSignal.timeout(120_000)
      const events = await deliveryOf(services, generationId, signal, type)
      if (events.some((event) => event.type === type)) return events
      throw new Error(`no ${type} in the delivery of ${generationId}`)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The configuration of a notifier with its views in the folder. */
export function notifierConfig(folder: string): NotifierConfig {
  return {
    signingSecret,
    publicUrl: 'https://pdf.example.com',
    fileUrlTtlS: 604_800,
    viewPath: join(folder, 'notifier', 'deliveries.db'),
    allowPrivate: true,
    relayPartitions: undefined,
    scheduleMs: [0, 50, 50],
    timeoutMs: 60_000,
    disableAfterMs: 432_000_000,
    supervisor: {
      folder: join(folder, 'notifier'),
      everyMs: 200,
      lostAfterMs: 600,
      orphanAfterMs: 2_000,
      overdueAfterMs: 86_400_000,
    },
    concurrency: { total: 100, perHost: 5 },
    unreadFiles: { firstPauseMs: 50, maxPauseMs: 200, lostAfterMs: 600_000 },
  }
}

function newEvent({ type, data }: GenerationEvent): NewEvent {
  const metadata = { time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_test', causation_id: 'command' }
  return { id: randomUUID(), type, data: { ...data } as NewEvent['data'], metadata }
}

/** Reads all delivery events, as the id of a delivery is known only to the notifier. Waits for an event of `type`. */
async function deliveryOf(
  { store }: BackingServices,
  generationId: string,
  timeout?: AbortSignal,
  type?: DeliveryEvent['type'],
): Promise<DeliveryEvent[]> {
  const events: DeliveryEvent[] = []
  let stream: string | undefined
  const seen = new AbortController()
  const signal = timeout ? AbortSignal.any([timeout, seen.signal]) : seen.signal
  for await (const item of store.subscribe({ after: 'start', categories: ['delivery'], signal })) {
    if (item.kind === 'caughtUp' && type === undefined) break
    if (item.kind !== 'event') continue
    const event = domainEvent<DeliveryEvent>(item.event)
    if (event.type === 'DeliveryScheduled' && event.data.generation_id === generationId) stream = item.event.stream
    if (item.event.stream !== stream) continue
    if (event.type !== '$unreadable') events.push(event)
    if (event.type === type) break
  }
  seen.abort()
  return events
}
