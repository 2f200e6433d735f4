import { buckets } from '@platen/domain/streams/buckets.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { openBucket } from '@platen/messaging/key-value/bucket.ts'
import { whileHoldingLease } from '@platen/messaging/key-value/lease.ts'
import type { HealthCheck } from '../host/health.ts'
import { SubscriptionHealth } from '../host/subscription-health.ts'
import { followLayout } from './layout.ts'
import { type Publishing, publishPartition } from './publish-partition.ts'
import { leaseOf } from './relays.ts'
import { explained, findResumePoint, OtherEventStore, type Partition } from './resume-point.ts'
import { RelayShare } from './share.ts'

/** Fails while the subscription of any partition that this process holds is interrupted. */
class RelayHealth implements HealthCheck {
  readonly name: string
  readonly #held = new Set<SubscriptionHealth>()

  constructor(name: string) {
    this.name = name
  }

  /** The health of a partition. To be disposed of when it is not held any more: the next holder may be another process. */
  holds(): { health: SubscriptionHealth } & Disposable {
    const health = new SubscriptionHealth(this.name)
    this.#held.add(health)
    return { health, [Symbol.dispose]: () => void this.#held.delete(health) }
  }

  /** Bound, because reports take it out of the object. */
  readonly check = async (): Promise<void> => {
    for (const { check } of this.#held) await check()
  }
}

export interface Relay extends Publishing {
  /** Identifies this process among others of its service. */
  instance: string
  /** Whether another process has certainly ended. */
  hasEnded?: (instance: string) => boolean
  /** Into how many parts the relay is divided, from now on and for all processes. Undefined: as it is recorded in NATS. */
  partitions?: number | undefined
  /**
   * Called if EVENTS turns out to belong to another event store while the relay runs. The relay then stops publishing.
   */
  fail: (err: Error) => void
  stopping: AbortSignal
}

/**
 * Publishes the events of the service's aggregates to the stream EVENTS, at least once, and those of an aggregate in order.
 * To be called before the service records its first event. Throws an error with instructions if EVENTS was published from
 * another event store. The result's `done` resolves after `stopping`; `check` fails while
 * this process should publish and cannot follow the log.
 */
export async function startRelay(relay: Relay): Promise<{ done: Promise<void>; check: HealthCheck }> {
  const { service, store, bus, log } = relay
  const health = new RelayHealth(`relay_${service}`)
  try {
    const checkpoints = await openBucket(bus, buckets.checkpoints)
    await findResumePoint({ service, store, bus, log, checkpoints })
  } catch (cause) {
    const err = asBusUnavailable(cause)
    if (!(err instanceof DependencyUnavailable)) throw err
    log.warn({ err }, 'dependency unavailable, the relay waits for it')
  }
  return { done: run(relay, health), check: health }
}

async function run(relay: Relay, health: RelayHealth): Promise<void> {
  const { service, bus, log, fail, partitions: wanted } = relay
  const failed = new AbortController()
  const stopping = AbortSignal.any([relay.stopping, failed.signal])
  const onOtherStore = (err: OtherEventStore) => {
    if (failed.signal.aborted) return
    failed.abort()
    fail(err)
  }
  await followLayout({
    bus,
    service,
    wanted,
    log,
    stopping,
    async work(layout, signal) {
      using share = layout.partitions > 1 ? await RelayShare.open(bus, { ...relay, ...layout }) : undefined
      const indexes = Array.from({ length: layout.partitions }, (_, index) => index)
      const holding = { relay, health, share, onOtherStore, stopping: signal }
      await Promise.all(indexes.map((index) => holdPartition({ ...layout, index }, holding)))
    },
  })
}

interface Holding {
  relay: Relay
  health: RelayHealth
  /** Undefined for a relay that is not divided. */
  share: RelayShare | undefined
  onOtherStore: (err: OtherEventStore) => void
  stopping: AbortSignal
}

/** Publishes a partition while this process has its lease. A partition that is given up is waited for again. */
async function holdPartition(partition: Partition, holding: Holding): Promise<void> {
  const { relay, health, share, onOtherStore, stopping } = holding
  const { service, instance, hasEnded, bus, log } = relay
  while (!stopping.aborted) {
    const givenUp = new AbortController()
    await whileHoldingLease({
      bus,
      bucket: buckets.leases,
      name: leaseOf(service, partition.index),
      holder: instance,
      ...defined({ hasEnded, turns: share }),
      log,
      stopping: AbortSignal.any([stopping, givenUp.signal]),
      async work(signal) {
        using _held = share?.holds(partition.index, () => givenUp.abort())
        using own = health.holds()
        try {
          await publishPartition(relay, partition, own.health, signal)
        } catch (cause) {
          // The log may be replaced while the relay follows it.
          const err = explained(service, cause)
          if (!(err instanceof OtherEventStore)) throw err
          onOtherStore(err)
        }
      },
    })
  }
}
