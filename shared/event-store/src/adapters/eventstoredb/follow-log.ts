import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { type Item, type Position, StoreUnavailable } from '../../event-store.ts'
import { decodePosition, type Place } from './codec.ts'
import { endOfSubscription } from './errors.ts'
import type { LeaderClient } from './leader-client.ts'
import type { LogIdentity } from './log-identity.ts'
import { endOfLog } from './read.ts'
import { readSubscription } from './subscription.ts'
import type { Credentials } from './url.ts'

/** Short, because a view that cannot follow the log is stale. */
const backoff = { firstMs: 50, maxMs: 500 }

export interface Following {
  leader: LeaderClient
  credentials: Credentials
  identity: LogIdentity
  /** The reason of a failure, for logs. */
  explain: (err: unknown) => Promise<StoreUnavailable>
  after: Position | 'start' | 'end'
  categories: readonly string[] | undefined
  /** How long to wait for an answer of the server. */
  idleMs: number
  signal: AbortSignal
}

/**
 * A subscription that reconnects after the last item it yielded. The client does not resume by itself, and the server
 * drops slow readers.
 */
export async function* followLog(following: Following): AsyncGenerator<Item> {
  const { identity, signal } = following
  let reached: Place | 'start' | undefined
  for (let failures = 1; !signal.aborted; failures++) {
    let cause: unknown
    try {
      const epoch = await untilAborted(identity.epoch(), signal)
      // Fix the end once: after a reconnect before the first event, "end" would be later and skip events.
      reached ??= await startOf(following, epoch)
      const after = reached === 'start' ? reached : await identity.resumeAfter(reached, signal)
      const anchor = reached === 'start' ? undefined : reached.anchor
      for await (const item of readSubscription({ ...following, epoch, after, anchor })) {
        failures = 0
        if (item.kind === 'event') reached = decodePosition(item.event.position, epoch)
        if (item.kind === 'checkpoint') reached = decodePosition(item.position, epoch)
        yield item
        if (signal.aborted) return
      }
    } catch (err) {
      if (signal.aborted) return
      const end = endOfSubscription(err)
      if (end) throw end
      cause = await following.explain(err)
    }
    yield { kind: 'lost', cause: new StoreUnavailable('The subscription to the event store is interrupted', { cause }) }
    await sleep(backoffMs(Math.max(1, failures), backoff), signal)
  }
}

async function startOf(following: Following, epoch: string): Promise<Place | 'start'> {
  const { after } = following
  if (after === 'start') return 'start'
  if (after !== 'end') return decodePosition(after, epoch)
  const end = await endOfLog(following)
  return end === 'start' ? end : { epoch, position: end }
}
