import { setTimeout as delay } from 'node:timers/promises'
import { openBus } from '@platen/shared/messaging/bus.ts'
import { createLogger } from '@platen/shared/runtime/logger.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import t from 'tap'
import { AttemptClaims } from './attempt-claims.ts'

t.test('an attempt is claimed once until the claim expires', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', createLogger('test', 'silent'))
  const ttlMs = 500
  const [one, other] = [new AttemptClaims(bus, 'one', ttlMs), new AttemptClaims(bus, 'other', ttlMs)]

  const took = await Promise.all([one, other, one, other].map((claims) => claims.take('msg_1', 1)))
  t.equal(took.filter(Boolean).length, 1)
  t.ok(await other.take('msg_1', 2), 'each attempt has its own claim')
  await delay(2 * ttlMs)
  t.ok(await other.take('msg_1', 1), 'the claim has expired')
})

t.test('a released claim can be taken again', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', createLogger('test', 'silent'))
  const claims = new AttemptClaims(bus, 'one')
  t.ok(await claims.take('msg_1', 1))
  await claims.release('msg_1', 1)
  t.ok(await claims.take('msg_1', 1))
  t.notOk(await claims.take('msg_1', 1))
})

t.test('a deleted bucket is created again', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', createLogger('test', 'silent'))
  const claims = new AttemptClaims(bus, 'one')
  t.ok(await claims.take('msg_1', 1))
  await bus.jsm.streams.delete('KV_DELIVERY_CLAIMS')
  await t.rejects(claims.take('msg_1', 2), { name: 'BusUnavailable' })
  t.ok(await claims.take('msg_1', 2))
})
