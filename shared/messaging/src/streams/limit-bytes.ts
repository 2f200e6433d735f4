import { type JetStreamManager, NatsError } from 'nats'
import type { Change } from './streams.ts'

const mebibyte = 2 ** 20

/** JetStream has less storage than a stream wants to reserve: of the server, of the account, or of every server of a cluster. */
const tooLarge = [10047, 10023, 10122, 10005]

export interface BytesLimit {
  mostBytes: number
  /** The stream gets at most one part of so many of what JetStream may store. */
  parts: number
}

/** Sets the size limit of a stream; if JetStream has less storage, half of it, a quarter and so on. */
export async function limitBytes(
  jsm: JetStreamManager,
  stream: string,
  { mostBytes, parts }: BytesLimit,
): Promise<Change> {
  for (let bytes = mostBytes; bytes >= mebibyte; bytes /= 2) {
    // JetStream does not report its limit. It grants this size only if its limit is this many times the size of the
    // stream.
    if ((await isGranted(jsm, stream, parts * bytes)) && (await isGranted(jsm, stream, bytes))) return 'updated'
  }
  return 'unchanged'
}

/** Whether JetStream has the storage, which the stream has reserved then. */
export async function isGranted(jsm: JetStreamManager, stream: string, bytes: number): Promise<boolean> {
  try {
    await jsm.streams.update(stream, { max_bytes: bytes })
    return true
  } catch (err) {
    if (err instanceof NatsError && tooLarge.includes(err.api_error?.err_code ?? 0)) return false
    throw err
  }
}
