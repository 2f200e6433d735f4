import { statfs } from 'node:fs/promises'
import { consumers, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import type { ConsumerInfo } from 'nats'
import { Gauge, type Registry } from 'prom-client'
import { answerWithinMs, durablesOf, oldestAgeS } from './consumer-state.ts'

export interface ServiceMetricsOptions {
  bus: Bus
  registry: Registry
  /** Folders on disks whose free space is shown. */
  paths: Iterable<string>
}

/** The queue, dead letters and disks, read at each request. While NATS does not answer, its values are missing. */
export function addServiceMetrics({ bus, registry, paths }: ServiceMetricsOptions): void {
  const registers = [registry]
  const asking = async <Value>(ask: () => Promise<Value>): Promise<Value | undefined> => {
    if (!bus.connected) return undefined
    return untilAborted(ask(), AbortSignal.timeout(answerWithinMs)).catch(() => undefined)
  }
  new Gauge({
    name: 'platen_queue_depth',
    help: 'Generations that are queued or being rendered; priority: interactive, batch, backlog (batch of a busy API key), and the same with tools- for operations on PDFs',
    labelNames: ['priority'],
    registers,
    async collect() {
      const infos = await forEachQueue((priority) =>
        asking(() => found(bus.queries.consumers.info(streams.commands, consumers[priority].durable))),
      )
      this.reset()
      for (const { priority, value: info } of infos) {
        if (info) this.set({ priority }, info.num_pending + info.num_ack_pending)
      }
    },
  })
  new Gauge({
    name: 'platen_queue_oldest_age_seconds',
    help: 'Age of the oldest generation that is queued or being rendered; 0 if there is none',
    labelNames: ['priority'],
    registers,
    async collect() {
      const ages = await forEachQueue((priority) => asking(() => oldestAgeS(bus, consumers[priority].filterSubject)))
      this.reset()
      for (const { priority, value: ageS } of ages) if (ageS !== undefined) this.set({ priority }, ageS)
    },
  })
  addConsumerMetrics(registry, () =>
    asking(async () =>
      Promise.all(
        [streams.commands, streams.events].map(async (stream) => ({ stream, found: await durablesOf(bus, stream) })),
      ),
    ),
  )
  new Gauge({
    name: 'platen_dead_letters',
    help: 'Messages that could not be handled (platen dead-letters list)',
    registers,
    async collect() {
      const info = await asking(() => found(bus.queries.streams.info(streams.deadLetters)))
      // A metric without labels would be 0 after a reset.
      if (info) this.set(info.state.messages)
      else this.remove()
    },
  })
  new Gauge({
    name: 'platen_disk_free_bytes',
    help: 'Free space for Platen on the disk of a folder',
    labelNames: ['path'],
    registers,
    async collect() {
      const disks = await Promise.all(
        [...paths].map(async (path) => ({ path, disk: await statfs(path).catch(() => undefined) })),
      )
      this.reset()
      for (const { path, disk } of disks) if (disk) this.set({ path }, disk.bavail * disk.bsize)
    },
  })
}

interface DurablesOfStream {
  stream: string
  found: ConsumerInfo[]
}

/** Metrics of the durable consumers of Platen and of subscribers. */
function addConsumerMetrics(registry: Registry, read: () => Promise<DurablesOfStream[] | undefined>): void {
  let reading: ReturnType<typeof read> | undefined
  /** One read for both metrics, and for requests at the same time. */
  const readOnce = () => {
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }
  const add = (name: string, help: string, numberOf: (consumer: ConsumerInfo) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['stream', 'consumer'],
      registers: [registry],
      async collect() {
        const streams = (await readOnce()) ?? []
        // Set without an await in between, because another scrape may run at the same time.
        this.reset()
        for (const { stream, found } of streams) {
          for (const consumer of found) this.set({ stream, consumer: consumer.name }, numberOf(consumer))
        }
      },
    })
  add(
    'platen_consumer_acknowledged',
    'Messages that a durable consumer has handled: it does not increase while nobody works',
    ({ ack_floor }) => ack_floor.consumer_seq,
  )
  add(
    'platen_consumer_pending',
    'Messages of a stream that a durable consumer has not handled',
    ({ num_pending, num_ack_pending }) => num_pending + num_ack_pending,
  )
}

type Queue = (typeof renderQueues)[number]

const forEachQueue = <Value>(read: (priority: Queue) => Promise<Value>) =>
  Promise.all(renderQueues.map(async (priority) => ({ priority, value: await read(priority) })))
