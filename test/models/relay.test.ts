import type { Bus } from '@platen/messaging/connection/bus.ts'
import { positionHeader, resumeHeader } from '@platen/service-kit/relay/resume-point.ts'
import type { MsgHdrs } from 'nats'
import t from 'tap'
import { relayModel } from './relay.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

t.test('each event is published once and in order, wherever a relay stops', async (t) => {
  const one = { relays: ['one'] }
  await holds(t, relayModel({ name: 'one event, one relay that stops', budgets: { crashes: 1 }, ...one, events: 1 }))
  await holds(t, relayModel({ name: 'three events, one relay that stops', budgets: { crashes: 1 }, ...one }), 400)
  await holds(t, relayModel({ name: 'EVENTS loses its newest message', budgets: {}, ...one, losses: 1 }), 400)
  if (!isDeep) return
  await holds(t, relayModel({ name: 'one relay that stops twice', budgets: { crashes: 2 }, ...one }))
  const both = { faults: 1, crashes: 1 }
  await holds(t, relayModel({ name: 'one event, a fault of NATS and a crash', budgets: both, ...one, events: 1 }))
})

t.test('two relays publish each event once, whoever has the lease', async (t) => {
  const two = { relays: ['one', 'two'], events: 1 }
  await holds(
    t,
    relayModel({ name: 'one event, two relays, of which one stops', budgets: { crashes: 1 }, ...two }),
    400,
  )
})

t.test('a relay of two partitions publishes each event once and in order, wherever it stops', async (t) => {
  const divided = { relays: ['one'], partitions: 2, budgets: { crashes: 1 } }
  await holds(t, relayModel({ name: 'three events, two partitions, and a process that stops', ...divided }), 400)
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  await isFound(t, 'a relay resumes after its newest message, although those before it may be missing', {
    model: relayModel({ name: 'mutation', budgets: { crashes: 1 }, relays: ['one'], wrap: resumesAfterNewest }),
    as: /^not in EVENTS/,
  })
  await isFound(t, 'messages have neither ids nor the last sequence of their subject', {
    model: relayModel({ name: 'mutation', budgets: { faults: 1 }, relays: ['one'], wrap: withoutGuards }),
    as: /an event is in EVENTS twice/,
  })
})

function resumesAfterNewest(bus: Bus): Bus {
  const getMessage = async (...query: Parameters<typeof bus.jsm.streams.getMessage>) => {
    const message = await bus.jsm.streams.getMessage(...query)
    const get = (name: string) => message.header.get(name === resumeHeader ? positionHeader : name)
    const header: MsgHdrs = Object.assign(Object.create(message.header), { get, has: () => false })
    return Object.assign(Object.create(message), { header })
  }
  const jsm = { ...bus.jsm, streams: { ...bus.jsm.streams, getMessage } }
  return Object.assign(Object.create(bus), { jsm })
}

/** Each gets an id of its own, and is stored whatever is there. */
function withoutGuards(bus: Bus): Bus {
  let sent = 0
  const publish: typeof bus.acks.publish = (publication) => {
    const { subject, headers } = publication
    if (subject.startsWith('events.')) {
      headers.set('Nats-Msg-Id', `${headers.get('Nats-Msg-Id')} ${++sent}`)
      headers.delete('Nats-Expected-Last-Subject-Sequence')
    }
    return bus.acks.publish(publication)
  }
  return Object.create(bus, { acks: { value: { publish } } })
}
