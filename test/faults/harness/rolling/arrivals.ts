import { setTimeout as delay } from 'node:timers/promises'

export interface ArrivalsOptions {
  perSecond: number
  /** The most requests without an answer. Further ones are left out and counted. */
  mostInFlight: number
  signal: AbortSignal
  /** Sends the request planned for a moment. Its duration is counted from that moment, even if it is sent later. */
  send: (plannedMs: number) => Promise<unknown>
}

export interface Arrivals {
  /** Requests that were sent. */
  sent: number
  leftOut: number
  mostInFlight: number
  /** The longest time between the moment of a request and its sending: the test itself was held up. */
  mostLateMs: number
  /** From the first moment to the last one. */
  ms: number
}

/**
 * Requests arrive at a fixed rate, whatever becomes of those before (an open loop): clients that wait for answers would send less
 * just when answers are slow. Resolves when the signal has aborted and all are answered.
 */
export async function arrive({ perSecond, mostInFlight, signal, send }: ArrivalsOptions): Promise<Arrivals> {
  const fromMs = Date.now()
  const inFlight = new Set<Promise<unknown>>()
  const arrivals: Arrivals = { sent: 0, leftOut: 0, mostInFlight: 0, mostLateMs: 0, ms: 0 }
  for (let n = 0; ; n++) {
    const plannedMs = fromMs + (n * 1_000) / perSecond
    const early = plannedMs - Date.now()
    if (early > 0) await delay(early, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    arrivals.mostLateMs = Math.max(arrivals.mostLateMs, Math.round(Date.now() - plannedMs))
    if (inFlight.size >= mostInFlight) {
      arrivals.leftOut += 1
      continue
    }
    arrivals.sent += 1
    const sending = send(plannedMs).finally(() => inFlight.delete(sending))
    inFlight.add(sending)
    arrivals.mostInFlight = Math.max(arrivals.mostInFlight, inFlight.size)
  }
  arrivals.ms = Date.now() - fromMs
  await Promise.all(inFlight)
  return arrivals
}
