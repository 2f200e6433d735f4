import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { type MsgHdrs, headers as newHeaders, type PubAck } from 'nats'
import { type Bus, patienceMs } from '../connection/bus.ts'
import { asBusUnavailable, BucketFull, BusUnavailable } from '../connection/bus-unavailable.ts'
import { setChecksum } from '../envelopes/checksum.ts'
import { isOfFullStream, isWriteInProcess, isWrongSequence } from './wrong-sequence.ts'

export interface StoredMessage {
  subject: string
  payload: Uint8Array | string
  /** JetStream stores one message of each id within 2 minutes, so that sending it again is safe. */
  messageId: string
  headers?: MsgHdrs
  /** The sequence of the last message of the subject, 0 for none. JetStream refuses the message if it is another. */
  lastSequence?: number
}

/** An answer that takes longer may have been lost with the leader of the stream. */
const answerWithinMs = 1_500
const pauseMs = 100

/**
 * Resolves when JetStream has stored the message. While the stream has no leader, or the connection is lost, the message
 * is sent again for up to 4 s. On BusUnavailable it may or may not be stored. Other errors are the stream's refusal, and so is
 * BucketFull.
 */
export async function publish(bus: Bus, message: StoredMessage): Promise<PubAck> {
  const stream = streamOf(message.subject)
  const startedAt = performance.now()
  const deadline = startedAt + patienceMs
  const { headers = newHeaders(), payload } = message
  // Values of a bucket are read as values, not delivered.
  if (!isBucket(stream)) setChecksum(headers, payload)
  let mayBeStored = false
  for (;;) {
    await bus.whenConnected()
    const leftMs = Math.max(deadline - performance.now(), 1)
    try {
      const ack = await bus.untilDisconnected(
        publishOnce(bus, { ...message, headers }, Math.min(answerWithinMs, leftMs)),
      )
      bus.writes.stored(stream)
      return ack
    } catch (err) {
      if (isBucket(stream) && isOfFullStream(err)) throw new BucketFull(`${stream} is full`, { cause: err })
      const reason = asBusUnavailable(err)
      const waits = isWriteInProcess(err)
      if (!waits && !(reason instanceof BusUnavailable))
        throw mayBeStored && !isWrongSequence(err)
          ? new BusUnavailable('NATS has perhaps stored the message', { cause: err })
          : err
      mayBeStored = true
      if (performance.now() + pauseMs < deadline) {
        await sleep(waits ? pauseMs / 4 : pauseMs)
        continue
      }
      bus.writes.failed(stream, err, startedAt)
      throw waits ? new BusUnavailable('NATS is still storing an earlier message', { cause: err }) : reason
    }
  }
}

function publishOnce(
  bus: Bus,
  { subject, payload, messageId, lastSequence, headers }: StoredMessage & { headers: MsgHdrs },
  timeoutMs: number,
): Promise<PubAck> {
  // https://docs.nats.io/nats-concepts/jetstream/headers#publish
  headers.set('Nats-Msg-Id', messageId)
  if (lastSequence !== undefined) headers.set('Nats-Expected-Last-Subject-Sequence', String(lastSequence))
  return bus.acks.publish({ subject, payload, headers, timeoutMs })
}

const isBucket = (stream: string) => stream.startsWith('KV_')

/** `$KV.LEASES.…` is stored in `KV_LEASES`; the other streams are named like the first part of their subjects. */
function streamOf(subject: string): string {
  const [first = '', second = ''] = subject.split('.')
  return first === '$KV' ? `KV_${second}` : first.toUpperCase()
}
