import { issueApiKey, newApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { defaultOwnerId } from '@platen/domain/owner/owner-contract.ts'
import { changeOwner, createOwner } from '@platen/domain/owner/owners.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t, { type Test } from 'tap'
import { signingSecrets } from './signing-secrets.ts'

const hourMs = 3_600_000
const signing = signingFrom('0123456789abcdef0123456789abcdef')

async function given(t: Test) {
  const temporary = await openTemporaryStore()
  t.teardown(() => temporary[Symbol.asyncDispose]())
  const { store } = temporary
  return {
    store,
    secretsOf: (apiKeyId: string, hours = 0, ownerId?: string) =>
      signingSecrets({ store, signing, ownerId, apiKeyId, nowMs: Date.now() + hours * hourMs }),
    rotate: (ownerId: string) =>
      changeOwner(store, ownerId, { type: 'RotateOwnerWebhookSecret', data: { at: new Date().toISOString() } }),
  }
}

t.test("the owner's newest secret signs, and the previous one for a day after a rotation", async (t) => {
  const { store, secretsOf, rotate } = await given(t)
  const ownerId = await createOwner(store, 'Acme')
  const issue = () => issueApiKey(store, { key: newApiKey(), name: 'test', scopes: ['generate'], ownerId })
  const [first, second] = [await issue(), await issue()]
  const secret = (version: number) => signing.webhookSecret(ownerId, version)

  t.strictSame(await secretsOf(first), [secret(1)])
  await rotateApiKey(store, first)
  t.strictSame(await secretsOf(first), [secret(1)], 'the rotation of a key changes nothing')
  await rotate(ownerId)
  t.strictSame(await secretsOf(first), [secret(2), secret(1)])
  t.strictSame(await secretsOf(second, 23), [secret(2), secret(1)])
  t.strictSame(await secretsOf(second, 25), [secret(2)])
  await rotate(ownerId)
  t.strictSame(await secretsOf(first, 1), [secret(3), secret(2)])
  t.strictSame(await secretsOf('key_unknown', 0, ownerId), [secret(3), secret(2)])
})

t.test('a key of a version without owners also signs with its own secret', async (t) => {
  const { store, secretsOf, rotate } = await given(t)
  const data = { name: 'old', sha256: 'ab', prefix: 'pk_', scopes: ['generate'] }
  await store.append('apikey-key_1', [{ id: crypto.randomUUID(), type: 'ApiKeyIssued', data }], 'none')
  const own = (version: number) => signing.webhookSecret(defaultOwnerId, version)
  const old = (version: number) => signing.webhookSecret('key_1', version)

  t.strictSame(await secretsOf('key_1'), [own(1), old(1)])
  const rotated = { version: 2, rotated_at: new Date().toISOString() }
  await store.append('apikey-key_1', [{ id: crypto.randomUUID(), type: 'WebhookSecretRotated', data: rotated }], 0)
  t.strictSame(await secretsOf('key_1', 0, defaultOwnerId), [own(1), old(2), old(1)])
  t.strictSame(await secretsOf('key_1', 25), [own(1), old(2)])
  await rotate(defaultOwnerId)
  t.strictSame(await secretsOf('key_1', 1), [own(2), own(1), old(2), old(1)])
  t.strictSame(await secretsOf('key_1', 25), [own(2)], "until a day after the owner's first rotation")
})
