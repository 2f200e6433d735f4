import type { RelayName } from '@platen/domain/events/define-event.ts'
import { buckets } from '@platen/domain/streams/buckets.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { type EventStore, InvalidPosition } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { readBucket } from '@platen/messaging/key-value/bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { readLayout, renewLayout } from './layout.ts'
import { partitionKey, relayNames } from './relays.ts'
import { type Finding, findTrace, readPartition, requirePosition, restartAt } from './resume-point.ts'

/** The relays that stop with OtherEventStore when they are started, or one of their partitions. */
export async function stoppedRelays(store: EventStore, bus: Bus): Promise<RelayName[]> {
  const info = await found(bus.jsm.streams.info(streams.events))
  if (info === undefined) return []
  const checkpoints = await readBucket(bus, buckets.checkpoints)
  const stopped: RelayName[] = []
  for (const service of relayNames) {
    const finding = { service, store, bus, checkpoints }
    try {
      await findTrace(finding)
      await requirePartitions(finding, info.created)
    } catch (err) {
      if (!(err instanceof InvalidPosition)) throw err
      stopped.push(service)
    }
  }
  return stopped
}

/**
 * The relay publishes what is recorded from now on, whatever is in EVENTS. If it is divided, and the log has the position up to
 * which all partitions had published, it begins there: a partition that was behind has events that nobody has published. Those that
 * the others have published are published again.
 */
export async function restartStopped(relay: Omit<Finding, 'checkpoints'>): Promise<void> {
  const { service, store, bus } = relay
  const checkpoints = await readBucket(bus, buckets.checkpoints)
  const floor = await findTrace({ ...relay, checkpoints }).catch((err: unknown) => {
    if (!(err instanceof InvalidPosition)) throw err
    return undefined
  })
  await restartAt(floor?.after ?? (await store.end()), relay, true)
  await renewLayout(bus, service)
}

/** Throws InvalidPosition if the log does not have the checkpoint of a partition. */
async function requirePartitions(finding: Finding, created: string): Promise<void> {
  const { service, bus, checkpoints } = finding
  const { partitions, epoch } = await readLayout(bus, service)
  if (partitions === 1) return
  for (let index = 0; index < partitions; index++) {
    const own = readPartition(await checkpoints.get(partitionKey(service, index)), epoch, created)
    if (own) await requirePosition(finding, own.position)
  }
}
