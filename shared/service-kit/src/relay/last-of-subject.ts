import { streams } from '@platen/domain/streams/subjects.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { replayHeader } from './resume-point.ts'

/** The last message of a subject of EVENTS, and its event. */
export interface LastMessage {
  seq: number
  id: string
  /** -1 for an event that a replay has published again: those before it may never have been published. */
  revision: number
}

/** As the leader of the stream knows it. */
export async function lastOfSubject({ jsm }: Pick<Bus, 'jsm'>, subject: string): Promise<LastMessage | undefined> {
  const message = await found(jsm.streams.getMessage(streams.events, { last_by_subj: subject }))
  if (message === undefined) return undefined
  const { id, revision } = message.json<Pick<CloudEvent, 'id' | 'revision'>>()
  return { seq: message.seq, id, revision: message.header.has(replayHeader) ? -1 : revision }
}

/**
 * Whether the last message of its subject says that the event is published: the events of an aggregate are published in order.
 * A message up to `foreign` says nothing, see `Checkpoint`: another log has other events of the same ids and revisions.
 */
export function saysPublished(last: LastMessage, { id, revision }: StoredEvent, foreign = 0): boolean {
  return last.seq > foreign && (last.id === id || last.revision >= revision)
}
