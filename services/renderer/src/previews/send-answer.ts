import { isDisconnect } from '@platen/messaging/connection/bus-unavailable.ts'
import type { Msg, MsgHdrs, NatsConnection } from 'nats'

/** A message of NATS holds 1 MiB. */
const partBytes = 512 * 1024
/** How many parts may be written before the NATS server has confirmed the first of them. */
const unconfirmedParts = 8

/**
 * Answers with the headers, then with the bytes in parts. Until NATS has confirmed that it has read them, they are lost if the
 * connection is: then they are sent again, from the headers on. Rejects if the connection is closed, or lost after `stopping`.
 */
export async function sendAnswer(
  nats: Pick<NatsConnection, 'flush'>,
  message: Pick<Msg, 'respond'>,
  { headers, bytes, stopping }: { headers: MsgHdrs; bytes: Uint8Array; stopping: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      message.respond('', { headers })
      for (let at = 0, part = 1; at < bytes.length; at += partBytes, part++) {
        message.respond(bytes.subarray(at, at + partBytes))
        if (part % unconfirmedParts === 0) await nats.flush()
      }
      return await nats.flush()
    } catch (err) {
      // While there is no connection, a flush fails at each attempt to open one.
      if (!isDisconnect(err) || stopping.aborted) throw err
    }
  }
}
