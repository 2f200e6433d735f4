import { join } from 'node:path'
import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { listAll } from '../support/list-all.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'
import { until } from '../support/until.ts'

const platen = await ownerOfSharedPlaten()

/** Another API key of the same owner. */
async function issueKey(): Promise<Record<string, string>> {
  const key = newApiKey()
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  await issueApiKey(store, { key, name: 'other', scopes: ownScopes, ownerId: platen.ownerId })
  await store.close()
  const headers = { authorization: `Bearer ${key}` }
  const known = async () => ((await platen.request('/v1/generations', { headers })).status === 200 ? true : undefined)
  await until(known, 'the key is not known')
  return headers
}

/** The ids of the completed generations of both API keys. */
async function completed(): Promise<Set<string>> {
  const all = await listAll(platen)
  return new Set(all.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])))
}

const busy = '<script>const until = Date.now() + 100; while (Date.now() < until);</script>'

t.test('a generation does not wait for all that another API key has queued', async (t) => {
  const headers = await issueKey()
  const many = 120
  await Promise.all(
    Array.from({ length: many }, () => platen.json('/v1/generate', { body: { html: busy, async: true } })),
  )
  const before = await completed()
  const mine = await platen.json<Generation>('/v1/generate', { body: { html: 'mine', async: true }, headers })
  t.equal(mine.status, 202)
  const { body } = await platen.json<Generation>(`/v1/generations/${mine.body.id}?wait=60`, { headers })
  t.equal(body.status, 'completed')
  const printed = [...(await completed())].filter((id) => id !== mine.body.id && !before.has(id))
  t.ok(printed.length < (many - before.size) / 3, `${printed.length} of ${many - before.size} were printed before`)
})
