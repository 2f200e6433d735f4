import { apiKeyId, revokeApiKey, rotateApiKey } from '@platen/domain/api-key/api-keys.ts'
import { changeOwner, createOwner } from '@platen/domain/owner/owners.ts'
import { eventually, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway
const { store } = services

const statusFor = async (key: string) => (await call('GET', '/v1/templates', { key })).status
const untilStatus = (key: string, wanted: number) =>
  eventually(async () => {
    const status = await statusFor(key)
    if (status !== wanted) throw new Error(`still ${status}`)
  })

t.test('a rotation changes the secret of a key and nothing else', async (t) => {
  const key = await gateway.issueKey()
  const headers = { 'idempotency-key': 'rotation' }
  const generate = (one: string) => call('POST', '/v1/generate', { key: one, body: { html: 'x' }, headers })
  const secretFor = async (one: string) => (await call('GET', '/v1/webhook-secret', { key: one })).body.secret
  const [generated, secret] = [await generate(key), await secretFor(key)]
  const { key: rotated } = await rotateApiKey(store, apiKeyId(key))
  await untilStatus(rotated, 200)
  t.equal(await statusFor(key), 401)
  t.equal((await call('GET', `/v1/generations/${generated.body.id}`, { key: rotated })).status, 200)
  t.equal((await generate(rotated)).body.id, generated.body.id)
  t.equal(await secretFor(rotated), secret)
  await revokeApiKey(store, apiKeyId(key))
  await untilStatus(rotated, 401)
  t.equal(await statusFor(key), 401)
})

t.test('replaced secrets are accepted for the grace time of the last rotation at most', async (t) => {
  const key = await gateway.issueKey()
  const { key: second } = await rotateApiKey(store, apiKeyId(key), { graceS: 3_600 })
  await untilStatus(second, 200)
  t.equal(await statusFor(key), 200)
  const { key: third } = await rotateApiKey(store, apiKeyId(key), { graceS: 1 })
  await untilStatus(third, 200)
  await untilStatus(second, 401)
  await untilStatus(key, 401)
  t.equal(await statusFor(third), 200)
})

t.test('the keys of a disabled owner are refused', async (t) => {
  const owner = await createOwner(store, 'Late')
  const key = await gateway.issueKeyOf(owner)
  t.equal(await statusFor(key), 200)
  await changeOwner(store, owner, { type: 'DisableOwner', data: {} })
  await untilStatus(key, 403)
  t.match((await call('GET', '/v1/templates', { key })).body, {
    error: { code: 'FORBIDDEN', message: /owner .* disabled/ },
  })
  t.equal((await call('GET', `/v1/templates?owner=${owner}`)).status, 200, 'admin still reads')
  await changeOwner(store, owner, { type: 'EnableOwner', data: {} })
  await untilStatus(key, 200)
})
