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
    rotate: (ownerId: string, hours = 0) => {
      const at = new Date(Date.now() + hours * hourMs).toISOString()
      return changeOwner(store, ownerId, { type: 'RotateOwnerWebhookSecret', data: { at } })
    },
  }
}

t.test("the owner's newest secret signs, and earlier ones for a day after they were replaced", async (t) => {
  const { store, secretsOf, rotate } = await given(t)
  const ownerId = await createOwner(store, 'Acme')
  const secret = (version: number) => signing.webhookSecret(ownerId, version)

  t.strictSame(await secretsOf(ownerId), [secret(1)])
  await rotate(ownerId)
  t.strictSame(await secretsOf(ownerId), [secret(2), secret(1)])
  t.strictSame(await secretsOf(ownerId, 23), [secret(2), secret(1)])
  t.strictSame(await secretsOf(ownerId, 25), [secret(2)])
  await rotate(ownerId)
  t.strictSame(await secretsOf(ownerId, 1), [secret(3), secret(2), secret(1)])
  t.strictSame(await secretsOf(ownerId, 25), [secret(3)])
})

t.test('of a secret that is rotated many times within a day, the last ten before it sign', async (t) => {
  const { store, secretsOf, rotate } = await given(t)
  const ownerId = await createOwner(store, 'Acme')
  for (let rotation = 1; rotation <= 12; rotation++) await rotate(ownerId)
  const versions = Array.from({ length: 11 }, (_, index) => 13 - index)
  t.strictSame(
    await secretsOf(ownerId),
    versions.map((version) => signing.webhookSecret(ownerId, version)),
  )
})

t.test('a clock that was wrong at a rotation changes how long that secret signs, and no other', async (t) => {
  const { store, secretsOf, rotate } = await given(t)
  const ownerId = await createOwner(store, 'Acme')
  await rotate(ownerId, 48)
  await rotate(ownerId)
  const [third, first] = [3, 1].map((version) => signing.webhookSecret(ownerId, version))
  t.strictSame(await secretsOf(ownerId, 25), [third, first])
})
