import { randomUUID } from 'node:crypto'
import type { PartialCommand } from '@platen/domain/partial/partial.ts'
import type { PartialSaveBegun } from '@platen/domain/partial/partial-save-events.ts'
import {
  type BegunCalls,
  type BegunSave,
  begunCalls,
  begunSave,
  PartialsBeingSaved,
  partialSavesStream,
  savesUnfinishedMs,
} from '@platen/domain/partial/partial-saves.ts'
import { partialId, partialStream } from '@platen/domain/partial/read-partial.ts'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { newEvent, refuseAfterDeadline } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'

interface Beginning {
  store: EventStore
  command: Envelope<PartialCommand>
  ownerId: string
  save: PartialSaveBegun['data']
  now: () => number
}

/** Each save that begins in the meantime makes another attempt necessary. More than this are an overload. */
const maxAttempts = 50
/** Together about half a second. A save takes some milliseconds between its begin and its end. */
const maxWaits = 12

/**
 * Checks the partial and records that its save begins, so that no call was begun between the two. `check` gets the calls
 * of other saves that are perhaps not stored yet, and throws PartialsBeingSaved if these decide; it is then called again.
 */
export async function beginPartialSave(
  { store, command, ownerId, save, now }: Beginning,
  check: (begun: BegunCalls) => Promise<void>,
): Promise<void> {
  const stream = partialSavesStream(ownerId)
  let waits = 0
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { revision, begun } = await recentSaves(store, stream, now)
    const others = begun.filter(({ commandId }) => commandId !== command.metadata.id)
    const unfinished = waits === 0 ? others : await withoutStored(store, ownerId, others)
    try {
      await check(begunCalls(unfinished))
    } catch (err) {
      if (!(err instanceof PartialsBeingSaved) || ++waits > maxWaits) throw err
      // The first time it is not known which of them are stored.
      if (waits > 1) await sleep(backoffMs(waits, { firstMs: 4, maxMs: 100 }))
      continue
    }
    refuseAfterDeadline(command.metadata, now())
    const event = { type: 'PartialSaveBegun', data: save }
    const { time } = command.metadata
    try {
      await store.append(stream, [newEvent(event, { command, attempt: randomUUID(), stream, time })], revision)
      return
    } catch (err) {
      if (!(err instanceof WrongExpectedRevision)) throw err
      await sleep(backoffMs(1, { firstMs: 4, maxMs: 4 }))
    }
  }
  throw new DependencyUnavailable('too many partials of the owner are being saved')
}

async function recentSaves(
  store: EventStore,
  stream: string,
  now: () => number,
): Promise<{ revision: number | 'none'; begun: BegunSave[] }> {
  let revision: number | 'none' = 'none'
  const begun: BegunSave[] = []
  for await (const event of store.readStream(stream, { backwards: true })) {
    if (revision === 'none') revision = event.revision
    if (now() - event.recordedAt.getTime() > savesUnfinishedMs) break
    if (event.type === 'PartialSaveBegun') begun.push(begunSave(event))
  }
  return { revision, begun }
}

async function withoutStored(store: EventStore, ownerId: string, saves: readonly BegunSave[]): Promise<BegunSave[]> {
  const stored = await Promise.all(saves.map((save) => isStored(store, ownerId, save)))
  return saves.filter((_, at) => !stored[at])
}

async function isStored(store: EventStore, ownerId: string, { name, commandId, begunAt }: BegunSave): Promise<boolean> {
  const stream = partialStream(partialId(ownerId, name))
  for await (const { metadata, recordedAt } of store.readStream(stream, { backwards: true })) {
    if (metadata.causation_id === commandId) return true
    // The clocks of the servers of the event store may differ.
    if (recordedAt.getTime() < begunAt.getTime() - savesUnfinishedMs) return false
  }
  return false
}
