import { text } from 'node:stream/consumers'
import { buckets } from '@platen/domain/streams/buckets.ts'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { ObjectNotFound, type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { ErrorCode, Events, NatsError } from 'nats'

/** The record of a deployment in NATS and in the object store. */
interface DeploymentRecord {
  deployment: string
  /** When it was written, in RFC 3339. */
  since: string
  /** Recorded in NATS only: the end of the log when the deployment joined. */
  log_end?: Position | 'start'
}

const natsKey = 'deployment'
const objectKey = 'platen/deployment'

/** NATS or the object store belongs to another deployment. The message has instructions for operators. */
export class OtherDeployment extends Error {
  override readonly name = 'OtherDeployment'
}

export interface Deployed {
  bus: Bus
  objects: Pick<ObjectStore, 'get' | 'put'>
}

export interface Joining extends Deployed {
  /** The identity of this deployment. */
  deployment: string
  store: Pick<EventStore, 'end'>
  log: Pick<Logger, 'warn'>
}

/**
 * Records the identity of the deployment in NATS and in the object store, if they have none. Throws OtherDeployment if
 * they have another one, BusUnavailable and StoreUnavailable. An object store whose record may not be read or written
 * is not checked.
 */
export async function joinDeployment({ bus, store, objects, deployment, log }: Joining): Promise<void> {
  const owners = [natsRecord(bus, store), objectRecord(objects, log)]
  for (const { name, read } of owners) {
    const owner = await read()
    if (owner !== undefined && owner !== deployment) throw other(name, owner, deployment)
  }
  for (const { name, claim } of owners) {
    const owner = await claim(deployment, false)
    if (owner !== deployment) throw other(name, owner, deployment)
  }
}

/**
 * Makes NATS and the object store belong to this deployment, even if they belong to another one. Called by `deployment
 * claim`.
 */
export async function claimDeployment({ bus, store, objects, deployment, log }: Joining): Promise<void> {
  for (const { claim } of [natsRecord(bus, store), objectRecord(objects, log)]) await claim(deployment, true)
}

/**
 * The deployments to which NATS and the object store belong; undefined if none is recorded. Throws
 * DependencyUnavailable.
 */
export async function recordedDeployments({ bus, objects }: Deployed) {
  // To open a bucket that is missing would create it.
  const isUsed = await found(bus.jsm.streams.info(streamOfBucket(buckets.checkpoints)))
  return { nats: isUsed && (await readNats(bus)).owner, objects: await readObject(objects) }
}

/**
 * The end of the log when NATS joined this deployment: events recorded since are to be published there. Undefined if
 * NATS has no record. Throws BusUnavailable.
 */
export async function logEndAtJoin(bus: Bus): Promise<Position | 'start' | undefined> {
  // A replica that lacks the record would make a relay begin too late.
  const { value } = await new LazyBucket(bus, buckets.checkpoints).readCurrent(natsKey)
  return recordIn(value).log_end
}

/** Checks again after each reconnect, as the address may lead to another server by then. */
export async function checkAfterReconnects(bus: Bus, check: () => Promise<void>): Promise<void> {
  for await (const { type } of bus.nats.status()) if (type === Events.Reconnect) await check()
}

function natsRecord(bus: Bus, store: Pick<EventStore, 'end'>) {
  return {
    name: 'NATS (NATS_URL)',
    read: async () => (await readNats(bus)).owner,
    /** Resolves to the owner, which may be a deployment that was faster. */
    async claim(deployment: string, replaces: boolean): Promise<string> {
      for (;;) {
        const { owner, bucket, revision } = await readNats(bus)
        if (owner !== undefined && !replaces) return owner
        const content = record(deployment, await store.end())
        const written = await bucket.write(natsKey, content, revision).catch(asNotRecorded)
        if (written !== undefined) return deployment
      }
    },
  }
}

/** A renderer with a user of its own does not record it. */
function asNotRecorded(err: unknown): never {
  if (!(err instanceof NatsError && err.code === ErrorCode.PermissionsViolation)) throw err
  throw new BusUnavailable('no service that may record whose NATS it is has started yet', { cause: err })
}

async function readNats(bus: Bus) {
  const bucket = new LazyBucket(bus, buckets.checkpoints)
  const { value, revision } = await bucket.read(natsKey)
  return { owner: recordIn(value).deployment, bucket, revision }
}

function objectRecord(objects: Deployed['objects'], log: Pick<Logger, 'warn'>) {
  const unlessRefused = async <Value>(use: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await use()
    } catch (err) {
      if (!(err instanceof ObjectStoreUnavailable)) throw err
      log.warn({ reason: err.message }, `it is not checked whose object store this is: ${objectKey} cannot be used`)
      return undefined
    }
  }
  return {
    name: 'the object store (OBJECT_STORE_URL)',
    read: () => unlessRefused(() => readObject(objects)),
    /**
     * Object stores cannot write a key only if it is new, so that of two deployments that begin at once, both may be
     * accepted.
     */
    async claim(deployment: string, replaces: boolean): Promise<string> {
      const owner = await unlessRefused(async () => {
        const recorded = await readObject(objects)
        if (recorded === deployment || (recorded !== undefined && !replaces)) return recorded
        await objects.put(objectKey, Buffer.from(record(deployment)), 'application/json')
        return readObject(objects)
      })
      return owner ?? deployment
    },
  }
}

async function readObject(objects: Deployed['objects']): Promise<string | undefined> {
  try {
    return recordIn(await text(await objects.get(objectKey))).deployment
  } catch (err) {
    if (err instanceof ObjectNotFound) return undefined
    throw err
  }
}

function record(deployment: string, log_end?: Position | 'start'): string {
  const since = new Date().toISOString()
  const content: DeploymentRecord = { deployment, since, ...defined({ log_end }) }
  return `${JSON.stringify(content)}\n`
}

/** A record that cannot be read, such as a file of which a power failure left nothing, is none. */
function recordIn(value: string | undefined): Partial<DeploymentRecord> {
  try {
    const content: Partial<DeploymentRecord> = JSON.parse(value ?? '')
    return typeof content.deployment === 'string' ? content : {}
  } catch {
    return {}
  }
}

function other(name: string, owner: string, deployment: string): OtherDeployment {
  return new OtherDeployment(
    `${name} belongs to the deployment ${owner}, and this process to ${deployment}. It has consumed and published nothing. ` +
      'Are NATS_URL, OBJECT_STORE_URL, EVENT_STORE_URL and DEPLOYMENT right? If so, because the event store was replaced or ' +
      'DEPLOYMENT was changed, stop all services and run `platen deployment claim --yes`',
  )
}
