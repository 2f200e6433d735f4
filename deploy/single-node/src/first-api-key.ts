import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { apiKeyId, hashApiKey, issueApiKey, newApiKey, readApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'

export interface FirstApiKey {
  key: string
  /** The file that has the key. The store has only its SHA-256. */
  path: string
}

export const firstApiKeyPath = (dataDir: string): string => join(dataDir, 'first-api-key')

/**
 * Issues an API key if the store has none. The key is written to a file of the data folder before it is issued, so that
 * a crash loses no issued key. Returns the key while the file exists and the key is accepted.
 */
export async function firstApiKey(
  store: EventStore,
  { dataDir, log }: { dataDir: string; log: Pick<Logger, 'warn'> },
): Promise<FirstApiKey | undefined> {
  const path = firstApiKeyPath(dataDir)
  const kept = await readKept(path)
  if (!(await anyKeyIssued(store))) {
    const key = kept ?? newApiKey()
    if (kept === undefined) await writeKey(path, key)
    await issueApiKey(store, { key, name: 'first', scopes: allScopes })
    return { key, path }
  }
  if (kept === undefined) return undefined
  if (await isCurrent(store, kept)) return { key: kept, path }
  log.warn({ path }, 'the API key in this file was rotated or revoked, or is of another event store; delete the file')
  return undefined
}

/** The stored key. Undefined if there is no file, or if it has only a part of a key, which was never issued. */
async function readKept(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return ''
    throw new Error(`DATA_DIR: ${path} cannot be read`, { cause: err })
  })
  return /^pk_[0-9A-Za-z]{43}$/.exec(text.trim())?.[0]
}

async function writeKey(path: string, key: string): Promise<void> {
  try {
    await writePrivateFile(path, `${key}\n`)
  } catch (cause) {
    throw new Error(`DATA_DIR: the first API key cannot be written to ${path}; none was issued`, { cause })
  }
}

async function isCurrent(store: EventStore, key: string): Promise<boolean> {
  const state = await readApiKey(store, apiKeyId(key))
  return state.status === 'active' && state.sha256 === hashApiKey(key)
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
