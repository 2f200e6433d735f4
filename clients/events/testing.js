import { golden } from './golden.js'
import { subjects } from './index.js'

let made = 0

/** A whole event of this type. */
export function goldenEvent(name, { data = {}, ...changes } = {}) {
  const event = structuredClone(golden[name])
  const id = `00000000-0000-8000-8000-${(++made).toString(16).padStart(12, '0')}`
  return { ...event, id, ...changes, data: { ...event.data, ...data } }
}

/** Calls the handler of a subscriber with the event. */
export async function deliver(handle, event, { replay, attempt = 1 } = {}) {
  return await handle(event, { replay, attempt })
}

/** Creates the streams EVENTS and REPLAY, as Platen does, on a nats-server for tests. */
export async function createStreams(nats) {
  const manager = await nats.jetstreamManager()
  await manager.streams.add({ name: 'EVENTS', subjects: ['events.>'] })
  await manager.streams.add({ name: 'REPLAY', subjects: ['replay.>'] })
}

/**
 * Publishes the event to EVENTS as Platen does. `headers` is the function of the NATS client, which a replay needs.
 */
export async function publish(nats, event, { replay, toEvents = false, headers } = {}) {
  const name = event.type.replace(/^com\.platen\./, '')
  const subject = subjects[name].replace(/>$/, event.subject)
  if (replay === undefined) return await nats.jetstream().publish(subject, JSON.stringify(event), { msgID: event.id })
  const marked = headers()
  marked.set('Platen-Replay', replay)
  const target = toEvents ? subject : subject.replace(/^events\./, `replay.${replay}.`)
  return await nats.jetstream().publish(target, JSON.stringify(event), { headers: marked })
}
