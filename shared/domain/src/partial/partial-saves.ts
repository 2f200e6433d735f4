import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { DomainError } from '../http/errors.ts'
import type { PartialSaveBegun } from './partial-save-events.ts'

// Two partials that are saved at the same moment could call each other: each is checked before the other is stored. So the
// calls of a partial are recorded in one stream of the owner before it is stored, at the revision that they were checked at.
// The second of two saves then finds the calls of the first.

export const partialSavesStream = (ownerId: string) => `partialsave-${ownerId}`

/** A save that was begun is stored or refused after this time: commands are refused seconds after they were sent. */
export const savesUnfinishedMs = 300_000

/** A save that is perhaps not stored yet. */
export interface BegunSave {
  name: string
  calls: readonly string[]
  commandId: string
  begunAt: Date
}

export function begunSave({ data, metadata, recordedAt }: StoredEvent): BegunSave {
  const { name, calls } = data as PartialSaveBegun['data']
  return { name, calls, commandId: String(metadata.causation_id), begunAt: recordedAt }
}

/** By the name of the partial, the names that it calls in saves that are perhaps not stored yet. */
export type BegunCalls = ReadonlyMap<string, readonly string[]>

export function begunCalls(saves: readonly BegunSave[]): BegunCalls {
  const calls = new Map<string, string[]>()
  for (const save of saves) calls.set(save.name, [...(calls.get(save.name) ?? []), ...save.calls])
  return calls
}

export interface BegunCall {
  name: string
  called: string
}

interface CircleSearch {
  saved: string
  /** The names that the partial calls when it is saved. */
  calls: readonly string[]
  begun: BegunCalls
  /** The names that a stored partial calls. */
  callsOf: (name: string) => Promise<readonly string[]>
}

/** A begun call that leads back to the partial that is being saved. */
export async function findCircle({ saved, calls, begun, callsOf }: CircleSearch): Promise<BegunCall | undefined> {
  const seen = new Set<string>()
  const next: { name: string; through: BegunCall | undefined }[] = calls.map((name) => ({ name, through: undefined }))
  for (const { name, through } of next) {
    if (name === saved && through) return through
    if (name === saved || seen.has(name)) continue
    seen.add(name)
    for (const called of await callsOf(name)) next.push({ name: called, through })
    for (const called of begun.get(name) ?? []) next.push({ name: called, through: through ?? { name, called } })
  }
  return undefined
}

/** The partial would close a circle with one that is being saved. */
export class PartialsBeingSaved extends DomainError {
  constructor({ name, called }: BegunCall) {
    const which = `the partial "${name}", which calls "${called}", is being saved at the moment`
    super('SERVICE_UNAVAILABLE', `${which}; retry, as this one may close a circle with it`)
  }
}
