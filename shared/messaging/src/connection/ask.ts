import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { type Bus, patienceMs } from './bus.ts'
import { asBusUnavailable, BusUnavailable } from './bus-unavailable.ts'

const pauseMs = 100
/** Interval of repetitions: an answer may be lost, and a stream without a leader never answers. */
const againAfterMs = 500

/**
 * Repeats a request that changes nothing until a server or the leader of the stream answers, for up to 4 s. A slow
 * request is sent again beside the first, and the first answer counts.
 */
export async function ask<Result>(
  bus: Pick<Bus, 'whenConnected' | 'untilDisconnected'>,
  request: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + patienceMs
  const underWay = new Set<Promise<Outcome<Result>>>()
  let reason: unknown
  for (;;) {
    await bus.whenConnected()
    const sent = outcomeOf(bus.untilDisconnected(request()))
    underWay.add(sent)
    const first = await Promise.race([...underWay, sleep(againAfterMs)])
    if (first?.ok) return first.value
    if (first) underWay.delete(first.of)
    reason = first?.reason ?? reason ?? new BusUnavailable('NATS does not answer')
    if (!(reason instanceof BusUnavailable) || performance.now() + pauseMs > deadline) throw reason
    if (first) await sleep(pauseMs)
  }
}

type Outcome<Result> = { ok: true; value: Result } | { ok: false; reason: unknown; of: Promise<Outcome<Result>> }

function outcomeOf<Result>(answer: Promise<Result>): Promise<Outcome<Result>> {
  const outcome: Promise<Outcome<Result>> = answer.then(
    (value) => ({ ok: true, value }),
    (err) => ({ ok: false, reason: asBusUnavailable(err), of: outcome }),
  )
  return outcome
}
