import { generationDecider } from '@platen/domain/generation/decide-generation.ts'
import type { GenerateBody } from '@platen/domain/generation/generation.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { foldOf } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import { Congestion } from '../../services/gateway/src/generations/congestion.ts'
import { generationFinder } from '../../services/gateway/src/generations/find-generation.ts'
import { type GenerateOptions, generateRoute } from '../../services/gateway/src/generations/generate-route.ts'
import { GenerationQueue } from '../../services/gateway/src/generations/generation-queue.ts'
import { QueuePlaces } from '../../services/gateway/src/generations/queue-places.ts'
import { QueuedByKey } from '../../services/gateway/src/generations/queued-by-key.ts'
import { queuedGenerations } from '../../services/gateway/src/generations/queued-generations.ts'
import { IdempotencyEntries } from '../../services/gateway/src/idempotency/idempotency-entries.ts'
import { generationRecord, wasRefused } from '../../services/gateway/src/views/generation-record.ts'
import { ViewUpdates } from '../../services/gateway/src/views/view-updates.ts'
import { parseRender } from '../../services/renderer/src/jobs/parse-render.ts'
import { renderHandlers } from '../../services/renderer/src/jobs/render-handlers.ts'
import { MemoryBus, type StoredMessage } from './world/memory-bus.ts'
import { MemoryStore } from './world/memory-store.ts'
import { MessageQueue } from './world/message-queue.ts'
import { quietLog } from './world/quiet-log.ts'
import { rendererOf } from './world/renderer.ts'
import type { Model } from './world/search.ts'
import { type Action, type Budgets, must, type World } from './world/world.ts'

const log = quietLog
const syncTimeoutMs = 35_000

interface IdempotencyOptions {
  name: string
  budgets: Budgets
  /** One request each, all with the same key and body. */
  clients: readonly { prefer?: string }[]
  /** How often a client repeats a request that was answered with a 503 or not at all. */
  repeats?: number
  redeliveries?: number
  /** The renderers refuse at first, and take documents from a moment on. */
  busy?: boolean
  wrap?: (bus: Bus) => Bus
  wrapStore?: (store: EventStore) => EventStore
}

/** Gateways that get requests with one Idempotency-Key, and renderers that refuse some of their commands. */
export function idempotencyModel(options: IdempotencyOptions): Model {
  const { name, budgets, clients, repeats = 1, redeliveries = 0, busy = false, wrap = (bus) => bus } = options
  return {
    name,
    invariant:
      'One Idempotency-Key makes one generation at most, beside those that were refused. An id that a client was given is that of ' +
      'a generation that exists. A generation that began ends.',
    budgets,
    begin(world) {
      const store = new MemoryStore(world)
      options.wrapStore?.(store)
      const memory = new MemoryBus(world)
      const answers: string[] = []
      const given = new Set<string>()
      let isBusy = busy
      const slotIsFree = {
        label: 'the renderers have a slot',
        run() {
          world.changes('slots')
          isBusy = false
        },
      }
      const areBusy = () => {
        world.reads('slots')
        return isBusy
      }
      const gateways: { catchUp: () => Action[] }[] = []
      const renderers = new MessageQueue<StoredMessage>(world, {
        name: ({ seq }) => `command ${seq}`,
        redeliveries,
        handle: async (message, count) => {
          const bus = wrap(memory.bus)
          const raw = memory.delivered(streams.commands, message, count)
          const dependencies = rendererOf(world, { store, bus, isBusy: areBusy })
          await renderHandlers(dependencies, bus.nats, 'interactive').handle(parseRender(raw.data), raw)
        },
        onAcknowledged: ({ seq }) => memory.remove(streams.commands, seq),
      })
      memory.onStored = (stream, message) => {
        if (stream === streams.commands) renderers.add(message)
      }
      const request = (client: number, repeat: number) => {
        const { prefer } = clients[client] ?? {}
        const process = `client ${client + 1}${repeat > 0 ? ` (again ${repeat})` : ''}`
        const again = () => {
          // Retry-After.
          world.advance(1_000)
          if (repeat < repeats) request(client, repeat + 1)
        }
        const work = async () => {
          const gateway = gatewayOf(world, { store, bus: wrap(memory.bus) })
          gateways.push(gateway)
          const answer = await gateway.generate({
            body: { html: '<p>' },
            headers: { 'idempotency-key': 'key', ...(prefer !== undefined && { prefer }) },
          })
          world.changes('answers')
          answers.push(`${process}: ${answer.status} ${answer.id}`)
          if (answer.id !== undefined) given.add(answer.id)
          if (answer.status === 503) again()
        }
        world.spawn(process, work, { onCrash: again })
      }
      for (const index of clients.keys()) request(index, 0)
      return {
        shared: () => [store, memory, renderers, [...answers].sort(), isBusy],
        actions: () => [
          ...renderers.actions(),
          ...memory.actions(),
          ...gateways.flatMap(({ catchUp }) => catchUp()),
          ...(isBusy ? [slotIsFree] : []),
        ],
        waits: () => world.runs(/^client/),
        always() {
          const made = [...generationsIn(store)].filter((id) => !isRefused(store, id))
          must(made.length <= 1, `one key has made ${made.length} generations`)
        },
        atEnd() {
          const known = generationsIn(store)
          for (const id of given) must(known.has(id), 'a client was given the id of a generation that does not exist')
          for (const id of known) must(hasEnded(store, id), 'a generation that began has no end')
        },
      }
    },
  }
}

const generationsIn = (store: MemoryStore) =>
  new Set(
    store.log.filter(({ stream }) => categoryOf(stream) === 'generation').map(({ stream }) => aggregateIdOf(stream)),
  )

function stateOf(events: readonly StoredEvent[], id: string) {
  return foldOf(
    generationDecider,
    events.filter(({ stream }) => stream === generationStream(id)),
  )
}

const hasEnded = (store: MemoryStore, id: string) => !['absent', 'rendering'].includes(stateOf(store.log, id).status)

const isRefused = (store: MemoryStore, id: string) => wasRefused(generationRecord(id, stateOf(store.log, id)))

interface Engines {
  store: MemoryStore
  bus: Bus
}

interface Answer {
  status: number
  /** The id of a generation. */
  id: string | undefined
}

interface Request {
  body: GenerateBody
  headers: Record<string, string>
}

/** A gateway with the handler of POST /v1/generate. Its view shows what was recorded when it is told to. */
function gatewayOf(world: World, { store, bus }: Engines) {
  let shown = 0
  const updates = new ViewUpdates()
  const process = world.current()
  const generations = {
    find(id: string) {
      return generationRecord(id, stateOf(store.log.slice(0, shown), id))
    },
  }
  const see = (name: string) => ({
    label: `${name}: its view shows all events`,
    run() {
      world.reads('log')
      const ids = store.log.slice(shown).map(({ stream }) => aggregateIdOf(stream))
      world.tell(process, `the view shows ${store.log.length} events`, () => {
        shown = store.log.length
        updates.notify(ids)
      })
    },
  })
  const finder = generationFinder({ view: generations as never, queue: queuedGenerations(bus), store })
  const printing = {
    config: {
      syncTimeoutMs,
      webhookAllowPrivate: true,
      host: '127.0.0.1',
      retainInputDays: 0,
      retainInputMaxDays: 30,
    },
    bus,
    inbox: openInbox(bus.nats),
    idempotency: new IdempotencyEntries(bus),
    limiter: { take: async () => ({ [Symbol.dispose]() {} }) },
    congestion: new Congestion(),
    log,
    finder,
    objects: {},
    templates: { find: async () => undefined },
    readVersion: async () => undefined,
    newestPins: async () => ({}),
    labels: { of: async () => ({ labels: {} }) },
    schemas: { check: async () => {} },
    generations,
    updates,
    urls: { poll: (id: string) => id, file: (id: string) => id },
  }
  const places = { queuePlaces: new QueuePlaces(bus, 100), queuedByKey: new QueuedByKey() }
  const generationQueue = new GenerationQueue({ ...printing, ...places } as never)
  const options = { ...printing, generationQueue } as unknown as GenerateOptions
  type Handler = (request: unknown, reply: unknown) => Promise<unknown>
  const handlers: Handler[] = []
  const app = { post: (_: string, { handler }: { handler: Handler }) => void handlers.push(handler) }
  void generateRoute(app as never, options)
  return {
    catchUp(): Action[] {
      return shown < store.log.length && process.status === 'running' ? [see(process.name)] : []
    },
    async generate({ body, headers }: Request): Promise<Answer> {
      const sent: { status: number; body?: { id?: string; generation_id?: string } } = { status: 200 }
      const reply = {
        raw: { once() {}, destroyed: false, writableFinished: false },
        header: () => reply,
        headers: () => reply,
        getHeader: () => undefined,
        code(status: number) {
          sent.status = status
          return reply
        },
        send(body: { id?: string }) {
          sent.body = body
          return reply
        },
      }
      const decorators: Record<string, unknown> = { owner: { id: 'own_default' }, apiKey: { id: 'key_1', scopes: [] } }
      const request = {
        id: 'req_1',
        body,
        headers,
        routeOptions: { url: '/v1/generate' },
        log,
        getDecorator: (name: string) => decorators[name],
        setDecorator: () => {},
      }
      try {
        for (const handler of handlers) await handler(request, reply)
        return { status: sent.status, id: sent.body?.generation_id ?? sent.body?.id }
      } catch (err) {
        if (err instanceof DependencyUnavailable) return { status: 503, id: undefined }
        if (!(err instanceof DomainError)) throw err
        const { generation_id } = (err.details ?? {}) as { generation_id?: string }
        return { status: err.code === 'WAIT_TIMEOUT' ? 504 : err.code === 'QUEUE_FULL' ? 503 : 422, id: generation_id }
      }
    },
  }
}
