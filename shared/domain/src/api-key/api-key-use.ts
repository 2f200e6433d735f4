import { randomUUID } from 'node:crypto'
import { type EventStore, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { type ApiKeyUsed, keyUseStream } from './api-key-events.ts'

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
  for await (const stored of store.readStream(stream, { backwards: true, limit: 1 })) {
    if (!isUseDue(domainEvent<ApiKeyUsed>(stored).data.at, at)) return
    revision = stored.revision
  }
  const used: ApiKeyUsed = { type: 'ApiKeyUsed', data: { at } }
  try {
    await store.append(stream, [{ ...used, id: randomUUID(), metadata: { time: at } }], revision)
  } catch (err) {
    // Another gateway has recorded a use at the same time.
    if (!(err instanceof WrongExpectedRevision)) throw err
  }
}
