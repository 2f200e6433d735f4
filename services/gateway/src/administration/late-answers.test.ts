import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EventStore, OutcomeUnknown } from '@platen/event-store/event-store.ts'
import { callGateway, startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import t, { type Test } from 'tap'
import { startGateway } from '../start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway

/** Another gateway, with this store. */
async function startOther(t: Test, name: string, methods: Partial<EventStore>) {
  const store = storeWith(services.store, methods)
  const config = { ...testConfig, dataDir: join(gateway.dataDir, name) }
  const other = await startGateway(config, { ...services, store })
  t.teardown(() => other[Symbol.asyncDispose]())
  return (method: string, path: string, body?: object) => callGateway(other.url, method, path, body && { body })
}

const isAccepted = async (key: string) => (await call('GET', '/v1/templates', { key })).status === 200
const isAdministration = (stream: string) => /^(apikey|owner)-/.test(stream)

t.test('a change of a key or owner is answered as it was recorded while the views are late', async (t) => {
  let isLate = false
  const at = await startOther(t, 'late', {
    async append(stream, ...rest) {
      if (isAdministration(stream)) isLate = true
      return services.store.append(stream, ...rest)
    },
    async *subscribe(options) {
      for await (const item of services.store.subscribe(options)) {
        while (isLate && !options.signal.aborted) await delay(10)
        yield item
      }
    },
  })
  const owner = await at('POST', '/v1/owners', { name: 'Late' })
  t.match(owner, { status: 201, body: { name: 'Late', status: 'active' } })
  t.same((await call('GET', `/v1/owners/${owner.body.id}`)).body, owner.body)
  isLate = false
  const issued = await at('POST', '/v1/keys', { name: 'late', scopes: ['templates:read'] })
  t.match(issued, { status: 201, body: { key: /^pk_/, prefix: /^pk_/, status: 'active' } })
  const { key: first, ...described } = issued.body
  t.ok(await isAccepted(first))
  const path = `/v1/keys/${described.id}`
  const { last_used_at: _, ...shown } = (await call('GET', path)).body
  t.same(shown, described)
  isLate = false
  await at('GET', path)
  isLate = true
  const rotated = await at('POST', `${path}/rotate?grace_s=60`)
  t.match(rotated, { status: 202, body: { id: described.id, key: /^pk_/, previous_valid_until: String } })
  t.ok(await isAccepted(rotated.body.key))
  t.equal((await at('DELETE', path)).status, 202)
  t.notOk(await isAccepted(rotated.body.key))
  const renamed = await at('PATCH', `/v1/owners/${owner.body.id}`, { name: 'Later', status: 'disabled' })
  t.match(renamed, { status: 202, body: { ...owner.body, name: 'Later', status: 'disabled' } })
  const secret = await at('POST', '/v1/webhook-secret/rotate')
  t.match(secret, { status: 202, body: { secret: /^whsec_/ } })
  t.same((await call('GET', '/v1/webhook-secret')).body, secret.body)
})

t.test('a rotated key is answered with its secret although the event store did not confirm it', async (t) => {
  const { body: issued } = await call('POST', '/v1/keys', { body: { name: 'unknown', scopes: ['templates:read'] } })
  let isLost = true
  const at = await startOther(t, 'unknown', {
    async append(stream, ...rest) {
      const appended = await services.store.append(stream, ...rest)
      if (!isLost || !isAdministration(stream)) return appended
      isLost = false
      throw new OutcomeUnknown('the answer was lost')
    },
  })
  const once = await at('POST', `/v1/keys/${issued.id}/rotate`)
  t.match(once, { status: 200, body: { id: issued.id, key: /^pk_/ } })
  t.same([await isAccepted(issued.key), await isAccepted(once.body.key)], [false, true])
})

t.test('a rotation whose outcome stays unknown is a 202 with the secret', async (t) => {
  const { body: issued } = await call('POST', '/v1/keys', { body: { name: 'unknown', scopes: ['templates:read'] } })
  let isLost = false
  const at = await startOther(t, 'lost', {
    async append(stream, ...rest) {
      const appended = await services.store.append(stream, ...rest)
      if (!isAdministration(stream)) return appended
      isLost = true
      throw new OutcomeUnknown('the answer was lost')
    },
    async *readStream(stream, options) {
      if (isLost && isAdministration(stream)) throw new OutcomeUnknown('no answer')
      yield* services.store.readStream(stream, options)
    },
  })
  const answer = await at('POST', `/v1/keys/${issued.id}/rotate`)
  t.match(answer, { status: 202, body: { id: issued.id, key: /^pk_/ } })
  t.equal(answer.body.prefix, answer.body.key.slice(0, 7))
  t.same([await isAccepted(issued.key), await isAccepted(answer.body.key)], [false, true])
})
