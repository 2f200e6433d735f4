import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { buckets } from './buckets.ts'
import { consumers } from './subjects.ts'

const key = 'webhooks-of-cancelled-since'

/**
 * Since when webhooks tell that generations were cancelled. Earlier versions sent none of these, and a new consumer reads
 * EVENTS from its start. So the time of the upgrade is kept: it is known when the consumer does not exist, although those of earlier
 * versions do. To be called before the consumer is created. Throws BusUnavailable.
 */
export async function cancelledSince(bus: Bus): Promise<Date> {
  const bucket = new LazyBucket(bus, buckets.checkpoints)
  for (;;) {
    const { value, revision } = await bucket.read(key)
    if (value !== undefined) return new Date(value)
    const since = (await isUpgrade(bus)) ? new Date() : new Date(0)
    // Another process may have saved it meanwhile.
    if ((await bucket.write(key, since.toISOString(), revision)) !== undefined) return since
  }
}

async function isUpgrade({ jsm }: Bus): Promise<boolean> {
  const { completed, cancelled } = consumers
  const exists = async ({ stream, durable }: typeof completed | typeof cancelled) =>
    (await found(jsm.consumers.info(stream, durable))) !== undefined
  return (await exists(completed)) && !(await exists(cancelled))
}
