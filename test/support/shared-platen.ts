import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { killNow } from './kill-now.ts'
import { type Platen, type PlatenClient, readJson, request, startPlaten } from './platen.ts'
import { sharedProcesses } from './shared-processes.ts'
import { until } from './until.ts'

let started: Promise<Platen> | undefined

/**
 * A new owner, with a key that has all scopes, of one Platen for all test files of this process. A test that stops it or needs
 * other settings starts its own.
 */
export async function ownerOfSharedPlaten(): Promise<PlatenClient & Pick<Platen, 'dataDir'> & { ownerId: string }> {
  started ??= start()
  const platen = await started
  const apiKey = newApiKey()
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  const ownerId = await createOwner(store, 'Test')
  await issueApiKey(store, { key: apiKey, name: 'test', scopes: allScopes, ownerId })
  await store.close()
  const send: PlatenClient['request'] = (path, init = {}) => request(new URL(path, platen.url), apiKey, init)
  await until(async () => (await send('/v1/templates')).ok || undefined, 'the key is not known')
  return {
    url: platen.url,
    apiKey,
    ownerId,
    dataDir: platen.dataDir,
    request: send,
    json: async (path, init) => readJson(await send(path, init)),
  }
}

/** What tests see sooner with these values than with the defaults. Documents load nothing from the network. */
const settings = {
  RENDER_EGRESS: 'none',
  RENDER_SLOTS: '2',
  RENDER_MAX_PAGES: '1000',
  FILE_URL_TTL_S: '60',
  // No busy machine takes that long.
  RENDER_TIMEOUT_MS: '110000',
  SYNC_TIMEOUT_MS: '120000',
}

async function start(): Promise<Platen> {
  const platen = await startPlaten(settings)
  sharedProcesses.add(platen.pid())
  platen.unref()
  process.once('exit', () => {
    killNow(-platen.pid())
    rmSync(platen.dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  return platen
}
