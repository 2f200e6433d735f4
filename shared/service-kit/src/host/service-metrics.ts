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
    help: 'Generations that are queued or being rendered; priority: interactive, batch, backlog (batch of a busy API key)',
    labelNames: ['priority'],
    registers,
    async collect() {
      this.reset()
      for (const priority of renderQueues) {
        const info = await asking(() =>
          found(bus.queries.consumers.info(streams.commands, consumers[priority].durable)),
        )
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
      this.reset()
      for (const priority of renderQueues) {
        const ageS = await asking(() => oldestAgeS(bus, consumers[priority].filterSubject))
        if (ageS !== undefined) this.set({ priority }, ageS)
      }
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
    help: 'Messages that could not be handled (platen dead list)',
    registers,
    async collect() {
      const info = await asking(() => found(bus.queries.streams.info(streams.dead)))
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
      this.reset()
      for (const path of paths) {
        const disk = await statfs(path).catch(() => undefined)
        if (disk) this.set({ path }, disk.bavail * disk.bsize)
      }
    },
  })
}

interface DurablesOfStream {
  stream: string
  found: ConsumerInfo[]
}

/** Of Platen's durable consumers and of those of subscribers. */
function addConsumerMetrics(registry: Registry, read: () => Promise<DurablesOfStream[] | undefined>): void {
  const labelNames = ['stream', 'consumer']
  const acknowledged = new Gauge({
    name: 'platen_consumer_acknowledged',
    help: 'Messages that a durable consumer has handled: it does not increase while nobody works',
    labelNames,
    registers: [registry],
  })
  new Gauge({
    name: 'platen_consumer_pending',
    help: 'Messages of a stream that a durable consumer has not handled',
    labelNames,
    // First, as it sets both.
    registers: [registry],
    async collect() {
      this.reset()
      acknowledged.reset()
      for (const { stream, found } of (await read()) ?? []) {
        for (const { name: consumer, num_pending, num_ack_pending, ack_floor } of found) {
          this.set({ stream, consumer }, num_pending + num_ack_pending)
          acknowledged.set({ stream, consumer }, ack_floor.consumer_seq)
        }
      }
    },
  })
}
