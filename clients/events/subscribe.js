import { parseEvent, subjects } from './index.js'
import { fromTime, Place } from './place.js'

const firstPauseMs = 1_000
/** Of an event whose handler throws. */
const longestPauseMs = 300_000
/** Of a server that is not reached. */
const longestOutagePauseMs = 10_000
const nanos = 1_000_000
const ackWaitMs = 30_000
const batch = { max_messages: 16, expires: 5_000 }

/** Handles events one after the other until the signal aborts. See subscribe.d.ts. */
export async function subscribe(options) {
  const { signal, onError = report } = options
  for (const name of options.events ?? []) {
    // Inside of the loop it would be taken for a failure of the connection, and be retried.
    if (!Object.hasOwn(subjects, name)) throw new TypeError(`${name} is no event: ${Object.keys(subjects).join(', ')}`)
  }
  const handled = options.handled ?? new RecentIds()
  const state = { handled, place: new Place() }
  for (let failures = 0; !signal.aborted; ) {
    try {
      const consumer = await openConsumer(options, state)
      options.onReady?.()
      while (!signal.aborted) {
        await handleBatch(consumer, options, state)
        failures = 0
      }
    } catch (err) {
      if (options.nats.isClosed?.() || err instanceof OtherFilters) throw err
      onError(err)
      await sleep(Math.min(pauseMs(++failures), longestOutagePauseMs), signal)
    }
  }
}

/** The durable consumer has other events than those that are asked for. */
export class OtherFilters extends Error {
  name = 'OtherFilters'
}

/** The default of `onError`, so that failures are visible. */
function report(err, event) {
  console.error(event === undefined ? 'platen events:' : `platen events: ${event.type} ${event.subject}:`, err)
}

/** The durable consumer, where it was, and how often it hears of a message in hand. One that is missing is created. */
async function openConsumer({ nats, durable, events = [], from = 'new', replay }, state) {
  const stream = replay === undefined ? 'EVENTS' : 'REPLAY'
  const prefix = replay === undefined ? 'events.' : `replay.${replay}.`
  const filters =
    events.length === 0 ? [`${prefix}>`] : events.map((type) => subjects[type].replace(/^events\./, prefix))
  const manager = await nats.jetstreamManager()
  const readStream = () => manager.streams.info(stream)
  const existing = await manager.consumers.info(stream, durable).catch((err) => {
    if (err.api_error?.code === 404 || err.code === '404' || err.status === 404) return undefined
    throw err
  })
  if (existing) {
    const { filter_subject, filter_subjects = filter_subject ? [filter_subject] : ['>'] } = existing.config
    if ([...filter_subjects].sort().join() !== [...filters].sort().join()) {
      throw new OtherFilters(
        `the consumer ${durable} has ${filter_subjects}, not ${filters}: use another name, or delete it`,
      )
    }
    state.place.resume(existing, await readStream())
  }
  const opened =
    existing ??
    (await manager.consumers.add(stream, {
      durable_name: durable,
      ack_policy: 'explicit',
      ack_wait: ackWaitMs * nanos,
      ...(replay === undefined
        ? ((await state.place.startOf(readStream)) ?? startOf(from))
        : { deliver_policy: 'all' }),
      ...(filters.length === 1 ? { filter_subject: filters[0] } : { filter_subjects: filters }),
    }))
  if (!existing && from === 'new') state.place.beginAt(Date.parse(opened.created))
  return { consumer: await nats.jetstream().consumers.get(stream, durable), heartbeatMs: heartbeatMs(opened.config) }
}

/** Two may be lost before the server delivers a message again. */
function heartbeatMs({ ack_wait, backoff = [] }) {
  return Math.min(...[ack_wait || ackWaitMs * nanos, ...backoff]) / nanos / 3
}

function startOf(from) {
  if (from === 'new') return { deliver_policy: 'new' }
  if (from === 'oldest') return { deliver_policy: 'all' }
  return fromTime(from)
}

/** Reads all that the server has, and keeps what waits for its turn from being delivered again. */
async function handleBatch({ consumer, heartbeatMs }, options, state) {
  const { signal } = options
  const messages = await consumer.fetch(batch)
  const waiting = new Set()
  const stop = () => {
    messages.stop()
    // Another process gets them, without waiting.
    for (const message of waiting) message.nak()
    waiting.clear()
  }
  signal.addEventListener('abort', stop, { once: true })
  let handled = Promise.resolve()
  try {
    for await (const message of messages) {
      waiting.add(message)
      if (signal.aborted) stop()
      const heartbeat = setInterval(() => message.working(), heartbeatMs)
      handled = handled
        .then(() => (waiting.delete(message) ? settle(message, options, state) : undefined))
        .finally(() => clearInterval(heartbeat))
      handled.catch(() => messages.stop())
    }
  } finally {
    await handled
    signal.removeEventListener('abort', stop)
  }
  if (state.place.isOpen && !signal.aborted) state.place.settle((await consumer.info()).ack_floor.stream_seq)
}

async function settle(message, { handle, replays = 'skip', replay, maxAttempts, onError = report }, state) {
  let event
  try {
    event = parseEvent(message.data)
  } catch (err) {
    onError(err)
    return message.term()
  }
  const replayed = message.headers?.get('Platen-Replay') || undefined
  const { deliveryCount: attempt = 1, timestampNanos, streamSequence: sequence } = message.info
  const stored = { ms: Number(timestampNanos) / nanos, sequence }
  const isSkipped = replayed !== undefined && replay === undefined && replays === 'skip'
  try {
    if (!isSkipped && !(await state.handled.has(event.id))) {
      await handle(event, { replay: replayed, attempt })
      await state.handled.add(event.id)
    }
    state.place.handled(stored)
    message.ack()
  } catch (err) {
    const isGivenUp = attempt >= (maxAttempts ?? Number.POSITIVE_INFINITY)
    if (!isGivenUp) state.place.failed(stored)
    onError(err, event)
    if (isGivenUp) message.term()
    else message.nak(pauseMs(attempt))
  }
}

const pauseMs = (attempt) => Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)

function sleep(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}

/** The ids of the last events, in the memory of this process. */
class RecentIds {
  #ids = new Set()

  has(id) {
    return this.#ids.has(id)
  }

  add(id) {
    this.#ids.add(id)
    if (this.#ids.size > 100_000) this.#ids.delete(this.#ids.values().next().value)
  }
}
