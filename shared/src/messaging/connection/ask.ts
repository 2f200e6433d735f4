import { sleep } from '../../runtime/sleep.ts'
import { type Bus, patienceMs } from './bus.ts'
import { asBusUnavailable, BusUnavailable } from './bus-unavailable.ts'

const pauseMs = 100

/** Repeats a request that changes nothing while no server or no leader of the stream answers, for up to 4 s. */
export async function ask<Result>(bus: Bus, request: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    await bus.whenConnected()
    try {
      return await bus.untilDisconnected(request())
    } catch (err) {
      const reason = asBusUnavailable(err)
      if (!(reason instanceof BusUnavailable) || performance.now() + pauseMs > deadline) throw reason
      await sleep(pauseMs)
    }
  }
}
