import { createHmac, timingSafeEqual } from 'node:crypto'
import { inputKeyRequests } from '@platen/domain/streams/subjects.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { OutageLog } from '@platen/foundation/runtime/outage-log.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { Empty, NatsError } from 'nats'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

// A renderer may not read INPUT_KEYS: it runs the code of documents. It is handed the key of an input by the proof that it has got its
// command. A proof says nothing without the key, so that it is worthless when the key was erased.

/** Where a kept input is, and what its command proves. */
const InputProof = Type.Object({ object_key: Type.String(), proof: Type.String() })
export type InputProof = Static<typeof InputProof>
const isProof = Compile(InputProof)

/** The most requests that are answered at once, and the most bytes of one. Others are sent again. */
const mostOpen = 100
const mostBytes = 1_000

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
  { keyOf, log }: { keyOf: (objectKey: string) => Promise<Uint8Array | undefined>; log: Pick<Logger, 'warn'> },
): Disposable {
  const outages = new OutageLog(log, 'key store of inputs')
  let open = 0
  const subscription = nats.subscribe(inputKeyRequests.subject, {
    queue: inputKeyRequests.queue,
    callback: async (err, message) => {
      if (err) return log.warn({ err }, 'keys of inputs cannot be handed out')
      // NATS does not check for what subject a reply is asked for: it could be that of a stream.
      const asked = replies.test(message.reply ?? '') && open < mostOpen && proofIn(message.data)
      if (!asked) return
      open += 1
      try {
        const key = await keyOf(asked.object_key)
        message.respond(key && isEqual(asked.proof, proofOf(key, asked.object_key)) ? key : Empty)
        outages.recovered()
      } catch (reason) {
        outages.failed(reason)
      } finally {
        open -= 1
      }
    },
  })
  return { [Symbol.dispose]: () => subscription.unsubscribe() }
}

/** Undefined for what is no request: it is dropped, and not logged, as a renderer that was broken into may send any number. */
function proofIn(bytes: Uint8Array): InputProof | undefined {
  if (bytes.byteLength > mostBytes) return undefined
  try {
    const request: unknown = parseJson(bytes)
    return isProof.Check(request) ? request : undefined
  } catch {
    return undefined
  }
}

function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.byteLength === other.byteLength && timingSafeEqual(one, other)
}
