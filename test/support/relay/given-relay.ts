import { setTimeout as delay } from 'node:timers/promises'
import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { type Relay, startRelay } from '@platen/service-kit/relay/relay.ts'
import type { Test } from 'tap'
import { startNatsServer, type TestNatsServer } from '../nats-server.ts'
import { openTemporaryStore } from '../temporary-store.ts'

export const log = createLogger('test', 'silent')

const metadata = { time: '2026-01-01T00:00:00.000Z', correlation_id: 'req_1', causation_id: 'command' }

/** Records events of one type, each in a stream of its own. */
export async function append(store: EventStore, category: string, type: string, count: number, from = 0) {
  for (let i = from; i < from + count; i++) {
    const event = { id: derivedUuid(category, i), type, data: { i, warnings: [] }, metadata }
    await store.append(`${category}-x${i}`, [event], 'none')
  }
}

/** Records revisions of each aggregate, one revision after the other. */
export async function record(store: EventStore, ids: readonly string[], revisions: readonly number[], by = 'recorded') {
  for (const revision of revisions) {
    for (const id of ids) {
      const event = { id: derivedUuid(`${by} ${id}`, revision), type: 'GenerationStarted', data: {}, metadata }
      await store.append(`generation-${id}`, [event], revision === 0 ? 'none' : revision - 1)
    }
  }
}

export interface GivenRelay {
  server: TestNatsServer
  bus: Bus
  store: EventStore
  /** The ids that relays have published. JetStream drops an id that it knows. */
  sent: string[]
  /** Makes these publications fail, counted from 1. */
  refuse: Set<number>
  relay(options?: Partial<Relay>): Promise<() => Promise<void>>
  /** The events in EVENTS, as soon as there are so many. */
  published(count: number): Promise<CloudEvent[]>
}

/** A relay of the renderer, with a nats-server and an event store of its own. */
export async function givenRelay(t: Test): Promise<GivenRelay> {
  const server = await startNatsServer()
  const bus = await openBus(server, 'test', log)
  const temporary = await openTemporaryStore()
  t.teardown(async () => {
    await bus[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    await temporary[Symbol.asyncDispose]()
  })
  const { store } = temporary
  await ensureStreams(bus.jsm)
  const sent: string[] = []
  const refuse = new Set<number>()
  const acks: Pick<Bus['acks'], 'publish'> = {
    publish: (publication) => {
      // A bucket publishes too.
      if (!publication.subject.startsWith('events.')) return bus.acks.publish(publication)
      sent.push(publication.headers.get('Nats-Msg-Id'))
      if (refuse.has(sent.length)) return Promise.reject(new Error('refused'))
      return bus.acks.publish(publication)
    },
  }
  const watched: Bus = Object.create(bus, { acks: { value: acks } })
  return {
    server,
    bus,
    store,
    sent,
    refuse,
    async relay(options = {}) {
      const stop = new AbortController()
      const fail = (err: Error) => t.fail(err.message)
      const identity = { deployment: async () => 'dep_1', schemas: 'https://pdf.example.com/schemas' }
      const common = { ...identity, service: 'renderer', instance: 'one', store, bus: watched, log, fail } as const
      const { done } = await startRelay({ ...common, stopping: stop.signal, ...options })
      const end = async () => {
        stop.abort()
        await done
      }
      t.teardown(end)
      return end
    },
    async published(count) {
      const last = async () =>
        bus.jsm.streams.info('EVENTS').then(
          ({ state }) => state,
          () => ({ messages: 0, first_seq: 0, last_seq: 0 }),
        )
      while ((await last()).messages < count) await delay(10)
      const { first_seq, last_seq } = await last()
      const seqs = Array.from({ length: last_seq - first_seq + 1 }, (_, index) => first_seq + index)
      const messages = await Promise.all(seqs.map((seq) => bus.jsm.streams.getMessage('EVENTS', { seq })))
      return messages.map((message) => message.json<CloudEvent>())
    },
  }
}
