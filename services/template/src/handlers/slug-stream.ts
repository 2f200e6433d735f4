import { type SlugCommand, type SlugState, slugDecider } from '@platen/domain/template/slug.ts'
import { type SlugEvent, slugStream } from '@platen/domain/template/slug-events.ts'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { placeOf } from '@platen/event-store/event-time.ts'
import { domainEvent, newEvent } from '@platen/event-store/handle-command.ts'
import { readBack } from '@platen/event-store/read-back.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'

/** A template that wants or has a slug, and the command of which that is a part. */
export interface SlugHolder {
  store: EventStore
  ownerId: string
  templateId: string
  metadata: CommandMetadata
}

export interface StoredSlug {
  slug: SlugState
  revision: number | 'none'
  /** The time of the last event; undefined without one. */
  recordedAt: Date | undefined
  /** Whether the last reservation is that of a process that was about to release the slug. */
  isTakenOver: boolean
}

/** Each conflict is a change of another process. More are a bug. */
const maxConflicts = 100

/** Each event has the whole state, so that the last one is read, however often the slug was used. */
export async function readSlug({ store, ownerId }: SlugHolder, slug: string): Promise<StoredSlug> {
  let revision: number | 'none' = 'none'
  let recordedAt: Date | undefined
  for await (const stored of readBack(store, slugStream(ownerId, slug))) {
    if (revision === 'none') ({ revision, recordedAt } = stored)
    const event = domainEvent<SlugEvent>(stored)
    // An event that cannot be read is skipped, and the one before it counts.
    if (event.type === '$unreadable') continue
    const state = slugDecider.evolve(slugDecider.initialState, event, placeOf(stored))
    // A command that wants the slug reserves it by its own id, see SlugReserved.
    const { causation_id } = stored.metadata
    const isTakenOver = state.heldBy !== undefined && causation_id !== undefined && state.by !== causation_id
    return { slug: state, revision, recordedAt, isTakenOver }
  }
  return { slug: slugDecider.initialState, revision, recordedAt, isTakenOver: false }
}

/** Executes the command for the holder, and returns the slug after it. */
export async function changeSlug(
  holder: SlugHolder,
  slug: string,
  { type, by }: { type: SlugCommand['type']; by: string },
): Promise<SlugState> {
  const { store, ownerId, templateId: template_id, metadata } = holder
  const stream = slugStream(ownerId, slug)
  for (let conflicts = 0; ; conflicts++) {
    const stored = await readSlug(holder, slug)
    const [event] = slugDecider.decide({ type, data: { template_id, by } }, stored.slug)
    if (!event) return stored.slug
    const { time } = metadata
    const recorded = newEvent(event, { command: { metadata }, attempt: `${by} ${stored.revision}`, stream, time })
    try {
      const { revision } = await store.append(stream, [recorded], stored.revision)
      return slugDecider.evolve(stored.slug, event, { revision, time })
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision) || conflicts >= maxConflicts) throw err
    }
  }
}
