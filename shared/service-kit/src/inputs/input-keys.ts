import { createHmac, timingSafeEqual } from 'node:crypto'
import { inputKeyRequests } from '@platen/domain/streams/subjects.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { Empty, NatsError } from 'nats'

// A renderer may not read INPUT_KEYS: it runs the code of documents. It is handed the key of an input by the proof that it has got its
// command. A proof says nothing without the key, so that it is worthless when the key was erased.

/** Where a kept input is, and what its command proves. */
export interface InputProof {
  object_key: string
  proof: string
}

const answerWithinMs = 4_000
/** What replies are sent to: in the account of the services, and to another one. */
const replies = /^(_INBOX|_R_\.)/

/** HMAC-SHA256 of the key of the object (base64url). */
export function proofOf(key: Uint8Array, objectKey: string): string {
  return createHmac('sha256', key).update(objectKey).digest('base64url')
}

/** The key; undefined if it was erased, or the proof is that of another input. Throws BusUnavailable if no gateway answers. */
export async function requestInputKey(bus: Bus, input: InputProof): Promise<Uint8Array | undefined> {
  const request = () => bus.nats.request(inputKeyRequests.subject, JSON.stringify(input), { timeout: answerWithinMs })
  try {
    const { data } = await ask(bus, request)
    return data.byteLength === 0 ? undefined : data
  } catch (cause) {
    // NATS may also have the permissions of an earlier version.
    if (!(cause instanceof NatsError || cause instanceof BusUnavailable)) throw cause
    throw new BusUnavailable(`no gateway hands out the keys of inputs: ${cause.message}`, { cause })
  }
}

/**
 * Answers requests for keys until disposal. `keyOf`: the key of the generation of an object; undefined if it was erased. Without an
 * answer of it, the request is sent again.
 */
export function serveInputKeys(
  { nats }: Pick<Bus, 'nats'>,
  { keyOf, log }: { keyOf: (objectKey: string) => Promise<Uint8Array | undefined>; log: Pick<Console, 'warn'> },
): Disposable {
  const subscription = nats.subscribe(inputKeyRequests.subject, {
    queue: inputKeyRequests.queue,
    callback: async (err, message) => {
      if (err) return log.warn({ err }, 'keys of inputs cannot be handed out')
      // NATS does not check for what subject a reply is asked for: it could be that of a stream.
      if (!replies.test(message.reply ?? '')) return
      try {
        const { object_key, proof } = message.json<InputProof>()
        const key = await keyOf(object_key)
        message.respond(key && isEqual(proof, proofOf(key, object_key)) ? key : Empty)
      } catch (reason) {
        log.warn({ err: reason }, 'a request for the key of an input was not answered')
      }
    },
  })
  return { [Symbol.dispose]: () => subscription.unsubscribe() }
}

function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}
