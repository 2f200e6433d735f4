import { isGranted, limitBytes } from '@platen/messaging/streams/limit-bytes.ts'
import { type Change, NotSetUp } from '@platen/messaging/streams/streams.ts'
import type { JetStreamManager } from 'nats'
import { streams } from './subjects.ts'

const mebibyte = 2 ** 20
/** About three million generations. */
const mostMb = 8_192

export interface EventsLimit {
  maxMb?: number | undefined
  defaultMb?: number | undefined
}

/**
 * Limits the size of the stream EVENTS, because a full JetStream stores no commands. The oldest events are discarded.
 * Without `maxMb`, a stream that has a limit keeps it, and one without gets `defaultMb`: 8 GiB, or less if that is more
 * than half of what JetStream may store. Throws NotSetUp if there is less storage than was asked for.
 */
export async function limitEvents(jsm: JetStreamManager, { maxMb, defaultMb }: EventsLimit = {}): Promise<Change> {
  const { max_bytes } = (await jsm.streams.info(streams.events)).config
  if (maxMb === undefined && max_bytes > 0) return 'unchanged'
  const wantedMb = maxMb ?? defaultMb
  if (wantedMb === undefined) return limitBytes(jsm, streams.events, { mostBytes: mostMb * mebibyte, parts: 2 })
  if (max_bytes === wantedMb * mebibyte) return 'unchanged'
  if (await isGranted(jsm, streams.events, wantedMb * mebibyte)) return 'updated'
  throw new NotSetUp(`JetStream has less storage than ${wantedMb} MiB for the stream ${streams.events}`)
}
