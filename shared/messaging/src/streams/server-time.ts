import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { found } from './streams.ts'

/**
 * The time of NATS, in ms since the epoch: that of the server which leads the stream, whose clock is also that of its messages. A
 * nats-server before 2.10 does not say it: then it is that of this host. Throws BusUnavailable.
 */
export async function serverTime(bus: Bus, stream: string): Promise<number> {
  const info = await ask(bus, () => found(bus.queries.streams.info(stream)))
  const { ts } = { ...info } as { ts?: string }
  return ts === undefined ? Date.now() : Date.parse(ts)
}
