import type { RelayName } from '@platen/domain/events/define-event.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import { isBefore } from '@platen/event-store/place-in-log.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { KV } from 'nats'
import { partitionKey, relayKey } from './relays.ts'
import { type Checkpoint, type Partition, readCheckpoint, readPartition } from './resume-point.ts'

export interface SavedCheckpoints {
  checkpoints: KV
  service: RelayName
  partition: Partition
}

/**
 * Saves the checkpoint of a partition. Resolves to a position up to which every event of the whole relay is published, if one is
 * known. That is the checkpoint under the key of the relay, from which any other number of partitions can begin; the holder of
 * the first partition saves it.
 */
export async function savePartition(
  saved: SavedCheckpoints,
  checkpoint: Checkpoint,
): Promise<Position | 'start' | undefined> {
  const { checkpoints, service, partition } = saved
  if (partition.partitions === 1) {
    await checkpoints.put(relayKey(service), JSON.stringify(checkpoint))
    return checkpoint.position
  }
  const own: Checkpoint = { ...checkpoint, epoch: partition.epoch }
  await checkpoints.put(partitionKey(service, partition.index), JSON.stringify(own))
  if (partition.index > 0) {
    const relay = readCheckpoint(await checkpoints.get(relayKey(service)))
    return relay?.stream === own.stream ? relay.position : undefined
  }
  const least = await leastOf(saved, own)
  if (least) await checkpoints.put(relayKey(service), JSON.stringify(least))
  return least?.position
}

/** Undefined if a partition has not saved anything in this layout. */
async function leastOf(
  { checkpoints, service, partition }: SavedCheckpoints,
  own: Checkpoint,
): Promise<Checkpoint | undefined> {
  let { position } = own
  let last = own
  const others = Array.from({ length: partition.partitions - 1 }, (_, at) => partitionKey(service, at + 1))
  for (const entry of await Promise.all(others.map((key) => checkpoints.get(key)))) {
    const other = readPartition(entry, partition.epoch, own.stream)
    if (other === undefined) return undefined
    if (isBefore(other.position, position)) position = other.position
    if (other.seq > last.seq) last = other
  }
  const { epoch: _, id: __, ...common } = own
  return { ...common, position, seq: last.seq, ...defined({ id: last.id }) }
}
