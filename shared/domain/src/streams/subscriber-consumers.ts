import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { Msg } from 'nats'
import { consumers, replayStream, streams } from './subjects.ts'

// NATS has no permission for the delivery subject of a push consumer: a subscriber could make JetStream write messages
// to any stream or bucket of the services. So the account of the subscribers imports the requests that create a
// consumer from this subject, and the notifier forwards those for pull consumers only.

/** The streams that subscribers may read. */
export const readableStreams: readonly string[] = [streams.events, replayStream.name]

/** The subject on which requests to create a consumer arrive from the account of the subscribers. */
export const consumerRequests = { prefix: 'consumers.', all: 'consumers.>', queue: 'notifier' } as const

const answerWithinMs = 4_000
/** More than subscribers start at once. A flood of requests must not take the memory of the notifier. */
const maxAtOnce = 64

const api = '$JS.API.CONSUMER.'

/**
 * The fields that a subscriber may set. Other fields are refused if they have a value, and dropped otherwise.
 * nats-server ignores the case of names.
 */
const settable = new Set([
  ...['name', 'durable_name', 'description', 'deliver_policy', 'opt_start_seq', 'opt_start_time', 'replay_policy'],
  ...['ack_policy', 'ack_wait', 'backoff', 'max_deliver', 'max_ack_pending', 'max_waiting', 'inactive_threshold'],
  ...['filter_subject', 'filter_subjects', 'headers_only', 'max_batch', 'max_expires', 'max_bytes'],
  ...['num_replicas', 'mem_storage', 'metadata'],
])

const ofServices = new Set<string>(Object.values(consumers).map(({ durable }) => durable))

/** A request to JetStream that changes no consumer but one of a subscriber, or why there is none. */
type Checked = { subject: string; request: string } | { refused: string }

/** The request that JetStream gets for the one of a subscriber. It is written anew, so that both read the same. */
export function checkConsumerRequest(subject: string, body: string): Checked {
  const verb = subject.slice(consumerRequests.prefix.length)
  const [, stream = '', name = ''] = /^(?:DURABLE\.)?CREATE\.([^.]+)\.([^.]+)/.exec(verb) ?? []
  if (!readableStreams.includes(stream) || name === '') return { refused: 'this stream is not for subscribers' }
  const parsed = parse(body)
  const { stream_name, config, action, pedantic, ...others } = isObject(parsed) ? parsed : {}
  if (!isObject(config)) return { refused: 'the request has no config of a consumer' }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return { refused: `the request may not have ${unknown}` }
  if (stream_name !== stream) return { refused: 'stream_name is not the stream of the subject' }
  const given = Object.entries(config).filter(([field, value]) => settable.has(field) || Boolean(value))
  for (const [field] of given) {
    if (field === 'deliver_subject')
      return { refused: 'deliver_subject is not for subscribers: create a pull consumer' }
    if (!settable.has(field)) return { refused: `subscribers may not set ${field}` }
  }
  const names = [name, config.name, config.durable_name]
  if (names.some((one) => ofServices.has(String(one)))) return { refused: 'this consumer is of the services' }
  const request = { stream_name, config: Object.fromEntries(given), action, pedantic }
  return { subject: `${api}${verb}`, request: JSON.stringify(request) }
}

/** Creates the consumers of subscribers until disposal. Each request is answered by one process. */
export function serveConsumerRequests({ nats }: Pick<Bus, 'nats'>): Disposable {
  let atOnce = 0
  const subscription = nats.subscribe(consumerRequests.all, {
    queue: consumerRequests.queue,
    callback: (err, message) => {
      // A subscriber without an answer asks again.
      if (err) return
      if (atOnce >= maxAtOnce) return void message.respond(JSON.stringify(busy))
      atOnce++
      answer(message)
        .catch(() => {})
        .finally(() => atOnce--)
    },
  })
  const answer = async (message: Msg) => {
    const checked = checkConsumerRequest(message.subject, message.string())
    if ('refused' in checked) {
      message.respond(JSON.stringify(refusal(checked.refused)))
      return
    }
    const { data } = await nats.request(checked.subject, checked.request, { timeout: answerWithinMs })
    message.respond(data)
  }
  return { [Symbol.dispose]: () => subscription.unsubscribe() }
}

/** A refusal in the form of JetStream. */
const refusal = (description: string, code = 403) => ({
  type: 'io.nats.jetstream.api.v1.consumer_create_response',
  error: { code, err_code: 10_000, description },
})

const busy = refusal('too many consumers are being created: ask again', 503)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
