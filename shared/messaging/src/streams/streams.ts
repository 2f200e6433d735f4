import { isDeepStrictEqual } from 'node:util'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type JetStreamManager,
  NatsError,
  nanos,
  type StreamConfig,
} from 'nats'
import type { Bus } from '../connection/bus.ts'

export type WantedStream = Partial<StreamConfig> & { name: string }

export type Change = 'created' | 'updated' | 'unchanged'

/** A stream, consumer or bucket is missing or out of date, and the account may not change it. */
export class NotSetUp extends DependencyUnavailable {
  override readonly name = 'NotSetUp'
}

/** Settings that `wanted` does not contain, for example replicas or limits, stay as the operator set them. */
export async function ensureStream(jsm: JetStreamManager, wanted: WantedStream): Promise<Change> {
  const { name } = wanted
  const existing = await found(jsm.streams.info(name))
  if (existing && matches(existing.config, wanted)) return 'unchanged'
  const what = `the stream ${name}`
  if (!existing) return create(what, jsm.streams.add(wanted), () => ensureStream(jsm, wanted))
  await unlessForbidden(what, jsm.streams.update(name, wanted))
  return 'updated'
}

/** Throws NotSetUp when the stream does not exist. */
export async function requireStream(jsm: JetStreamManager, name: string): Promise<void> {
  if (!(await found(jsm.streams.info(name)))) throw notSetUp(`stream ${name}`)
}

/** See `DurableConsumer`. */
export const defaultAckWaitMs = 10_000

export interface DurableConsumer {
  stream: string
  durable: string
  filterSubject: string
  /** Messages of a dead client are redelivered after this time. Default: 10 s. */
  ackWaitMs?: number
}

/** Opens a durable pull consumer, and creates it if it is missing, for example because it was deleted. */
export async function openConsumer(bus: Bus, consumer: DurableConsumer): Promise<Consumer> {
  await (bus.managesStreams ? ensureConsumer(bus.jsm, consumer) : requireConsumer(bus.jsm, consumer))
  return bus.js.consumers.get(consumer.stream, consumer.durable)
}

export async function ensureConsumer(
  jsm: JetStreamManager,
  { stream, durable, filterSubject, ackWaitMs = defaultAckWaitMs }: DurableConsumer,
): Promise<Change> {
  const wanted: Partial<ConsumerConfig> = {
    durable_name: durable,
    filter_subject: filterSubject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    max_ack_pending: 1_000,
  }
  const existing = await found(jsm.consumers.info(stream, durable))
  if (existing && matches(existing.config, wanted)) return 'unchanged'
  const what = `the consumer ${durable} of ${stream}`
  if (!existing) {
    return create(what, jsm.consumers.add(stream, wanted), () =>
      ensureConsumer(jsm, { stream, durable, filterSubject, ackWaitMs }),
    )
  }
  await unlessForbidden(what, jsm.consumers.update(stream, durable, wanted))
  return 'updated'
}

/** JetStream has a stream or consumer of this name with another configuration. */
const taken = [10058, 10148]

/** Whether another process has created it, and perhaps changed it since. */
export const isTaken = (err: unknown): boolean =>
  err instanceof NatsError && taken.includes(err.api_error?.err_code ?? 0)

/** `again`: for the case that another process creates it at the same moment, and has changed it since. */
async function create(what: string, adding: Promise<unknown>, again: () => Promise<Change>): Promise<Change> {
  try {
    await unlessForbidden(what, adding)
    return 'created'
  } catch (err) {
    if (isTaken(err)) return again()
    throw err
  }
}

/** Throws NotSetUp when the consumer does not exist. */
export async function requireConsumer(jsm: JetStreamManager, { stream, durable }: DurableConsumer): Promise<void> {
  if (!(await found(jsm.consumers.info(stream, durable)))) throw notSetUp(`consumer ${durable} of ${stream}`)
}

function matches<Config extends object>(existing: Config, wanted: Partial<Config>): boolean {
  const names = Object.keys(wanted) as (keyof Config)[]
  return names.every((name) => isDeepStrictEqual(existing[name], wanted[name]))
}

export const notSetUp = (what: string) =>
  new NotSetUp(`NATS has no ${what}: run \`platen streams setup\` with an account that may create it`)

/** Throws NotSetUp if the account may not make the change. */
export async function unlessForbidden(what: string, change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (err) {
    if (!(err instanceof NatsError && err.isPermissionError())) throw err
    const remedy = 'run `platen streams setup` with an account that may, and set NATS_MANAGE_STREAMS=false'
    throw new NotSetUp(`the NATS account may not create or change ${what}: ${remedy}`, { cause: err })
  }
}

/** Resolves to undefined if JetStream answers 404. */
export async function found<Info>(info: Promise<Info>): Promise<Info | undefined> {
  try {
    return await info
  } catch (err) {
    if (err instanceof NatsError && err.api_error?.code === 404) return undefined
    throw err
  }
}

/** The error code of nats-server for a sequence number without a message. */
const sequenceNotFound = 10_043

/** The result of a deletion of a message. Resolves to false if it is gone already, perhaps by the same request whose answer was lost. */
export async function deleted(deletion: Promise<boolean>): Promise<boolean> {
  try {
    return await deletion
  } catch (err) {
    const isGone = err instanceof NatsError && err.api_error?.err_code === sequenceNotFound
    if (isGone || (err instanceof Error && err.message.includes('no message found'))) return false
    throw err
  }
}
