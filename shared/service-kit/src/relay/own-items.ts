import type { Item } from '@platen/event-store/event-store.ts'
import { partitionOf } from './partition-of.ts'
import type { Partition } from './resume-point.ts'

/**
 * What a partition needs of a subscription to the log. Of an event of another partition that is the position: a process that holds
 * many partitions would otherwise hold the events of each of them for all.
 */
export async function* ownItems(
  items: AsyncIterable<Item>,
  { index, partitions }: Pick<Partition, 'index' | 'partitions'>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const isForeign = item.kind === 'event' && partitionOf(item.event.stream, partitions) !== index
    yield isForeign ? { kind: 'checkpoint', position: item.event.position } : item
  }
}
