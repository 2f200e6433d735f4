import { type Change, NotSetUp } from '@platen/messaging/streams/streams.ts'
import { type JetStreamManager, NatsError } from 'nats'
import { streams } from './subjects.ts'

const mebibyte = 2 ** 20
/** About three million generations. */
const mostMb = 8_192

/** JetStream has less storage than a stream wants to reserve: of the server, of the account, or of every server of a cluster. */
const tooLarge = [10047, 10023, 10122, 10005]

export interface EventsLimit {
  maxMb?: number | undefined
  defaultMb?: number | undefined
}

/**
 * Bounds the stream EVENTS, so that it cannot take the storage that COMMANDS needs: a JetStream that is full stores no
 * command. The oldest events are discarded. Without `maxMb`, a stream that has a limit keeps it, and one without a limit gets
 * `defaultMb`: 8 GiB, or less where that is more than half of what JetStream may store. Throws NotSetUp if there is less
 * storage than was asked for.
 */
export async function limitEvents(jsm: JetStreamManager, { maxMb, defaultMb }: EventsLimit = {}): Promise<Change> {
  const { max_bytes } = (await jsm.streams.info(streams.events)).config
  if (maxMb === undefined && max_bytes > 0) return 'unchanged'
  const wantedMb = maxMb ?? defaultMb
  if (wantedMb === undefined) return limitByStorage(jsm)
  if (max_bytes === wantedMb * mebibyte) return 'unchanged'
  if (await isGranted(jsm, wantedMb * mebibyte)) return 'updated'
  throw new NotSetUp(`JetStream has less storage than ${wantedMb} MiB for the stream ${streams.events}`)
}

async function limitByStorage(jsm: JetStreamManager): Promise<Change> {
  for (let bytes = mostMb * mebibyte; bytes >= mebibyte; bytes /= 2) {
    // JetStream does not tell its limit. It grants this only if its limit is twice as much as EVENTS gets.
    if ((await isGranted(jsm, 2 * bytes)) && (await isGranted(jsm, bytes))) return 'updated'
  }
  return 'unchanged'
}

async function isGranted(jsm: JetStreamManager, bytes: number): Promise<boolean> {
  try {
    await jsm.streams.update(streams.events, { max_bytes: bytes })
    return true
  } catch (err) {
    if (err instanceof NatsError && tooLarge.includes(err.api_error?.err_code ?? 0)) return false
    throw err
  }
}
