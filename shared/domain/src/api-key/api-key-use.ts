import { randomUUID } from 'node:crypto'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { readBack } from '@platen/event-store/read-back.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { type ApiKeyUsed, type KeyUseEvent, keyUseStream, type SessionEnded } from './api-key-events.ts'

/** A use is recorded when the last recorded one is older. */
export const useIntervalMs = 3_600_000

/** Times are ISO 8601. */
export function isUseDue(lastUsedAt: string | undefined, at: string): boolean {
  return lastUsedAt === undefined || Date.parse(at) - Date.parse(lastUsedAt) >= useIntervalMs
}

/**
 * Records the use of a key, unless one within the last hour is recorded. `at` is ISO 8601. It has a stream of its own,
 * because the stream of the key is read for every webhook and would grow every hour.
 */
export async function recordApiKeyUse(store: EventStore, apiKeyId: string, at: string): Promise<void> {
  const stream = keyUseStream(apiKeyId)
  let revision: number | 'none' = 'none'
  for await (const stored of readBack(store, stream)) {
    if (revision === 'none') revision = stored.revision
    const { type, data } = domainEvent<KeyUseEvent>(stored)
    if (type !== 'ApiKeyUsed') continue
    if (!isUseDue(data.at, at)) return
    break
  }
  const used: ApiKeyUsed = { type: 'ApiKeyUsed', data: { at } }
  try {
    await store.append(stream, [{ ...used, id: randomUUID(), metadata: { time: at } }], revision)
  } catch (err) {
    // Another gateway has recorded a use at the same time.
    if (!(err instanceof WrongExpectedRevision)) throw err
  }
}

/** Records that a session of the key has ended before its time. `session` is the SHA-256 of its cookie. Throws DependencyUnavailable. */
export async function recordSessionEnd(
  store: EventStore,
  apiKeyId: string,
  { session, until, metadata }: { session: string; until: Date; metadata: CommandMetadata },
): Promise<void> {
  const ended: SessionEnded = { type: 'SessionEnded', data: { session, until: until.toISOString() } }
  await store.append(keyUseStream(apiKeyId), [{ ...ended, id: randomUUID(), metadata: { ...metadata } }], 'any')
}
