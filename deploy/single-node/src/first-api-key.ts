import { issueApiKey, newApiKey } from '@platen/shared/api-keys/api-keys.ts'
import { allScopes } from '@platen/shared/contracts/api-key.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'

/** Issues a key where the store has none yet, and gives it: it is not to be had again. */
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
