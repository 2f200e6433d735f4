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
    secretsOf: (ownerId: string, hours = 0) =>
      signingSecrets({ store, signing, ownerId, nowMs: Date.now() + hours * hourMs }),
    rotate: (ownerId: string) =>
      changeOwner(store, ownerId, { type: 'RotateOwnerWebhookSecret', data: { at: new Date().toISOString() } }),
  }
}

t.test("the owner's newest secret signs, and the previous one for a day after a rotation", async (t) => {
  const { store, secretsOf, rotate } = await given(t)
  const ownerId = await createOwner(store, 'Acme')
  const secret = (version: number) => signing.webhookSecret(ownerId, version)

  t.strictSame(await secretsOf(ownerId), [secret(1)])
  await rotate(ownerId)
  t.strictSame(await secretsOf(ownerId), [secret(2), secret(1)])
  t.strictSame(await secretsOf(ownerId, 23), [secret(2), secret(1)])
  t.strictSame(await secretsOf(ownerId, 25), [secret(2)])
  await rotate(ownerId)
  t.strictSame(await secretsOf(ownerId, 1), [secret(3), secret(2)])
})
