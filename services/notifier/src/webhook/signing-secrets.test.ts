import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueApiKey, newApiKey, rotateWebhookSecret } from '@platen/shared/api-keys/api-keys.ts'
import { openEventStore } from '@platen/shared/event-store/open-event-store.ts'
import { signingFrom } from '@platen/shared/signing/signing.ts'
import t from 'tap'
import { signingSecrets } from './signing-secrets.ts'

const hourMs = 3_600_000
const signing = signingFrom('0123456789abcdef0123456789abcdef')

t.test('the newest secret signs, and the previous one for a day after a rotation', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-secrets-'))
  const store = await openEventStore(`sqlite:${join(folder, 'events.db')}`)
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const apiKeyId = await issueApiKey(store, { key: newApiKey(), name: 'test', scopes: ['generate'] })
  const secret = (version: number) => signing.webhookSecret(apiKeyId, version)
  const inHours = (hours: number) => signingSecrets({ store, signing, apiKeyId, nowMs: Date.now() + hours * hourMs })

  t.strictSame(await inHours(0), [secret(1)])
  await rotateWebhookSecret(store, apiKeyId)
  t.strictSame(await inHours(0), [secret(2), secret(1)])
  t.strictSame(await inHours(23), [secret(2), secret(1)])
  t.strictSame(await inHours(25), [secret(2)])
  await rotateWebhookSecret(store, apiKeyId)
  t.strictSame(await inHours(1), [secret(3), secret(2)])
})

t.test('a key without events has the first secret', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-secrets-'))
  const store = await openEventStore(`sqlite:${join(folder, 'events.db')}`)
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const found = await signingSecrets({ store, signing, apiKeyId: 'key_1', nowMs: Date.now() })
  t.strictSame(found, [signing.webhookSecret('key_1', 1)])
})
