import { untilBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { type Bus, leaderlessMs } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable, BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { type BucketConfig, openBucket, streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import {
  type DurableConsumer,
  ensureConsumer,
  ensureStream,
  found,
  NotSetUp,
  notSetUp,
} from '@platen/messaging/streams/streams.ts'
import type { StreamConfig } from 'nats'
import { limitEvents } from './limit-events.ts'
import { streamConfigs } from './stream-configs.ts'
import { streams } from './subjects.ts'

/** Streams, consumers and buckets that a service uses. The streams of the consumers are implied. */
export interface Requirements {
  streams?: readonly string[]
  consumers?: readonly DurableConsumer[]
  buckets?: readonly BucketConfig[]
}

interface Requirement {
  exists(): Promise<boolean>
  create(): Promise<unknown>
}

const lookEveryMs = 5_000
/** How often a start tries. An attempt without an answer takes 1.5 s. */
const attempts = 5

/** Looks for the streams, consumers and buckets that the services of a process use, and creates lost ones again. */
export class RequiredStreams implements AsyncDisposable {
  readonly #bus: Bus
  readonly #log: Logger
  /** Requirements by name, such as `stream COMMANDS`. A stream comes before its consumers. */
  readonly #required = new Map<string, Requirement>()
  /** Streams that have one replica in a cluster. */
  readonly #single = new Set<string>()
  readonly #stop = new AbortController()
  readonly #watching: Promise<void>
  #look: Promise<string[]> | undefined
  /** Since when JetStream has not answered whether something is missing. */
  #unknownSince: number | undefined
  /** A loss that could not be repaired is logged once. */
  #reported = ''

  constructor(bus: Bus, log: Logger) {
    this.#bus = bus
    this.#log = log
    this.#watching = this.#watch()
  }

  /** Creates missing streams and consumers. Throws NotSetUp if the account may not create them, and BusUnavailable. */
  async require({ streams: names = [], consumers = [], buckets = [] }: Requirements): Promise<void> {
    const added = new Map<string, Requirement>()
    for (const name of [...names, ...consumers.map(({ stream }) => stream)]) {
      added.set(
        `stream ${name}`,
        this.#stream(name, () => createStream(this.#bus, name)),
      )
    }
    for (const bucket of buckets) {
      const name = streamOfBucket(bucket)
      added.set(
        `stream ${name}`,
        this.#stream(name, () => openBucket(this.#bus, bucket)),
      )
    }
    for (const consumer of consumers) added.set(`consumer ${consumer.durable}`, this.#consumer(consumer))
    await this.#createMissing(added)
    for (const [name, requirement] of added) this.#required.set(name, requirement)
    this.#warnOfSingleReplicas([...added.keys()])
  }

  /** Rejects if something was missing, even if it could be created again, and with BusUnavailable. */
  async check(): Promise<void> {
    const missing = await this.#repair().catch((err) => {
      if (this.#bus.connected && performance.now() - (this.#unknownSince ?? 0) < leaderlessMs) return []
      throw err
    })
    if (missing.length > 0) throw new NotSetUp(`NATS had no ${missing.join(', ')}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#watching
  }

  #warnOfSingleReplicas(added: readonly string[]): void {
    const single = added.filter((name) => this.#single.has(name))
    if (single.length === 0) return
    const remedy = 'run `platen streams setup --replicas 3`'
    this.#log.warn({ single }, `these streams have one replica in a NATS cluster and fail with its server; ${remedy}`)
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await untilBeat(lookEveryMs, signal)
      // While NATS does not answer there is nothing to repair; the check of the connection reports it.
      if (this.#bus.connected) await untilAborted(this.#repair(), signal).catch(() => {})
    }
  }

  /** Concurrent callers share one check. Resolves to the missing streams and consumers. */
  #repair(): Promise<string[]> {
    this.#look ??= this.#lookAndCreate().finally(() => {
      this.#look = undefined
    })
    return this.#look
  }

  async #lookAndCreate(): Promise<string[]> {
    if (!this.#bus.connected) throw new BusUnavailable('NATS is not connected')
    const missing = await missingOf(this.#required).catch((err) => {
      this.#unknownSince ??= performance.now()
      throw err
    })
    this.#unknownSince = undefined
    if (missing.length === 0) {
      this.#reported = ''
      return missing
    }
    try {
      await this.#create(missing, this.#required)
      this.#log.error({ missing }, 'NATS had lost streams or consumers; they are created again without their messages')
      this.#reported = ''
    } catch (err) {
      const loss = missing.join()
      if (this.#reported !== loss) {
        this.#log.error({ err, missing }, 'NATS has lost streams or consumers and they cannot be created; retrying')
      }
      this.#reported = loss
    }
    return missing
  }

  /** Patience with busy machines: a start that fails because of a late answer would begin again, and be as late. */
  async #createMissing(requirements: ReadonlyMap<string, Requirement>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const missing = await missingOf(requirements)
        if (missing.length > 0) await this.#create(missing, requirements)
        return
      } catch (err) {
        const reason = asBusUnavailable(err)
        if (!(reason instanceof BusUnavailable) || attempt === attempts || this.#stop.signal.aborted) throw reason
        this.#log.warn({ reason: reason.message, attempt }, 'NATS does not say whether its streams exist, asking again')
      }
    }
  }

  async #create(missing: readonly string[], from: ReadonlyMap<string, Requirement>): Promise<void> {
    if (!this.#bus.managesStreams) throw notSetUp(missing.join(', '))
    for (const name of missing) await from.get(name)?.create()
  }

  /** A lost stream gets the settings that it had, which the operator may have changed. */
  #stream(name: string, create: () => Promise<unknown>): Requirement {
    const { jsm, queries, nats } = this.#bus
    const single = this.#single
    let known: StreamConfig | undefined
    return {
      async exists() {
        const info = await found(queries.streams.info(name))
        known = info?.config ?? known
        if (info?.cluster && info.cluster.leader === undefined)
          throw new BusUnavailable(`the stream ${name} has no leader`)
        if (info?.config.num_replicas === 1 && nats.info?.cluster) single.add(`stream ${name}`)
        return info !== undefined
      },
      create: () => (known ? jsm.streams.add(known) : create()),
    }
  }

  #consumer(consumer: DurableConsumer): Requirement {
    const { jsm, queries } = this.#bus
    return {
      exists: async () => (await found(queries.consumers.info(consumer.stream, consumer.durable))) !== undefined,
      create: () => ensureConsumer(jsm, consumer),
    }
  }
}

async function missingOf(required: ReadonlyMap<string, Requirement>): Promise<string[]> {
  const names = await Promise.all([...required].map(async ([name, { exists }]) => ((await exists()) ? [] : [name])))
  return names.flat()
}

async function createStream({ jsm }: Bus, name: string): Promise<void> {
  const config = streamConfigs.find((stream) => stream.name === name)
  if (config) await ensureStream(jsm, config)
  if (name === streams.events) await limitEvents(jsm)
}
