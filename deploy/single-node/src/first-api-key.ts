import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'

/** Issues an API key if the store has none, and returns it. It cannot be read again. */
export async function issueFirstApiKey(store: EventStore): Promise<string | undefined> {
  if (await anyKeyIssued(store)) return undefined
  const key = newApiKey()
  await issueApiKey(store, { key, name: 'first', scopes: allScopes })
  return key
}

async function anyKeyIssued(store: EventStore): Promise<boolean> {
  const search = new AbortController()
  try {
    for await (const item of store.subscribe({ after: 'start', categories: ['apikey'], signal: search.signal })) {
      if (item.kind === 'event') return true
      if (item.kind === 'caughtUp') return false
    }
    return false
  } finally {
    search.abort()
  }
}
