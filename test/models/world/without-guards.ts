import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { MsgHdrs } from 'nats'

/** A key is written whatever its revision. */
export function withoutComparison(bus: Bus): Bus {
  return withHeaders(bus, (headers) => headers.delete('Nats-Expected-Last-Subject-Sequence'))
}

/** JetStream takes a message that is sent again for another one. */
export function withoutIds(bus: Bus): Bus {
  return withHeaders(bus, (headers) => headers.delete('Nats-Msg-Id'))
}

function withHeaders(bus: Bus, change: (headers: MsgHdrs) => void): Bus {
  const publish: typeof bus.acks.publish = (publication) => {
    change(publication.headers)
    return bus.acks.publish(publication)
  }
  return Object.create(bus, { acks: { value: { publish } } })
}

/** Buckets seem to be empty. */
export function asIfEmpty(bus: Bus): Bus {
  const { streams } = bus.jsm
  const info: typeof streams.info = async (...query) => {
    const seen = await streams.info(...query)
    return { ...seen, state: { ...seen.state, bytes: 0 } }
  }
  const jsm = { ...bus.jsm, streams: { ...streams, info } }
  return Object.create(bus, { jsm: { value: jsm }, queries: { value: jsm } })
}
