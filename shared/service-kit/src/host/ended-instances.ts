import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { LazyBucket } from '@platen/messaging/key-value/lazy-bucket.ts'

const key = 'instances'
/** A process that ends before it has taken a lease leaves it to those after it. */
const maxKnown = 10

/**
 * Whether an instance has certainly ended. To be called by a process that runs the nats-server itself, in a folder that it has
 * locked: those that were recorded here before had the same lock. Other processes may use this nats-server, too. They are not
 * recorded, so nobody takes them for ended. Throws BusUnavailable.
 */
export async function endedInstances(bus: Bus, instance: string): Promise<(instance: string) => boolean> {
  const bucket = new LazyBucket(bus, buckets.leases)
  const { value, revision } = await bucket.read(key)
  const ended = recordedIn(value)
  await bucket.write(key, JSON.stringify([...ended, instance].slice(-maxKnown)), revision)
  return (other) => ended.includes(other)
}

function recordedIn(value: string | undefined): string[] {
  const recorded: unknown = value === undefined ? [] : JSON.parse(value)
  return Array.isArray(recorded) ? recorded.map(String) : []
}
