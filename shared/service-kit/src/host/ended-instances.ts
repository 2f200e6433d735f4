import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'

const key = 'instances'
/** A process that ends before it has taken a lease leaves it to those after it. */
const maxKnown = 10

/**
 * Whether an instance has certainly ended. For a process that runs nats-server itself, in a folder that it has locked:
 * all instances recorded here before had the same lock. Other processes that use this nats-server are not recorded, so
 * that nobody takes them for ended. If a record cannot be read or written, for example on a full disk, the next start
 * waits ten seconds.
 */
export async function endedInstances(
  bus: Bus,
  instance: string,
  log: Pick<Logger, 'warn'>,
): Promise<(instance: string) => boolean> {
  const bucket = new LazyBucket(bus, buckets.leases)
  const onFault = (err: unknown) => log.warn({ err }, 'the next start waits until the leases of this one have expired')
  const record = (ended: readonly string[], revision: number) =>
    bucket.write(key, JSON.stringify([...ended, instance].slice(-maxKnown)), revision).catch(onFault)
  try {
    const { value, revision } = await bucket.read(key)
    const ended = recordedIn(value)
    void record(ended, revision)
    return (other) => ended.includes(other)
  } catch (err) {
    onFault(err)
    return () => false
  }
}

function recordedIn(value: string | undefined): string[] {
  const recorded: unknown = value === undefined ? [] : JSON.parse(value)
  return Array.isArray(recorded) ? recorded.map(String) : []
}
