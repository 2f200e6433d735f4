import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type JetStreamManager,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats'
import { streams } from '../contracts/subjects.ts'
import type { Bus } from './bus.ts'

const dayMs = 24 * 3_600_000

export interface StreamLimits {
  /** How long subscribers can catch up on events. */
  eventsMaxAgeMs: number
}

export const defaultStreamLimits: StreamLimits = { eventsMaxAgeMs: 30 * dayMs }

function streamConfigs({ eventsMaxAgeMs }: StreamLimits): (Partial<StreamConfig> & { name: string })[] {
  const file = { storage: StorageType.File, allow_direct: true }
  return [
    { ...file, name: streams.commands, subjects: ['commands.>'], retention: RetentionPolicy.Workqueue },
    { ...file, name: streams.events, subjects: ['events.>'], max_age: nanos(eventsMaxAgeMs) },
    { ...file, name: streams.dead, subjects: ['dead.>'], max_age: nanos(30 * dayMs) },
  ]
}

/** Creates the streams or brings them up to date. Safe to run from every service at once. */
export async function ensureStreams(jsm: JetStreamManager, limits: StreamLimits = defaultStreamLimits): Promise<void> {
  for (const config of streamConfigs(limits)) {
    if (await found(jsm.streams.info(config.name))) await jsm.streams.update(config.name, config)
    else await jsm.streams.add(config)
  }
}

/** A dead client's messages come back after this long. */
export const ackWaitMs = 30_000

export interface DurableConsumer {
  stream: string
  durable: string
  filterSubject: string
  /** `new`: a consumer that is made later does not see what was published before. */
  startAt?: 'all' | 'new'
}

/** Opens a durable pull consumer, made where it is missing (somebody may have deleted it by hand). */
export async function openConsumer(bus: Bus, durable: DurableConsumer): Promise<Consumer> {
  const config: Partial<ConsumerConfig> = {
    durable_name: durable.durable,
    filter_subject: durable.filterSubject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    max_ack_pending: 1_000,
  }
  if (!(await found(bus.jsm.consumers.info(durable.stream, durable.durable)))) {
    await bus.jsm.consumers.add(durable.stream, config)
  }
  return bus.js.consumers.get(durable.stream, durable.durable)
}

async function found(info: Promise<unknown>): Promise<boolean> {
  try {
    await info
    return true
  } catch (err) {
    if (err instanceof NatsError && err.api_error?.code === 404) return false
    throw err
  }
}
