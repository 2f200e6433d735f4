import { setTimeout as delay } from 'node:timers/promises'
import { openBus } from '@platen/shared/messaging/bus.ts'
import { createLogger } from '@platen/shared/runtime/logger.ts'
import { startNatsServer } from '@platen/shared/testing/nats-server.ts'
import t from 'tap'
import { openAttemptClaims } from './attempt-claims.ts'

t.test('an attempt has one maker, until its claim expires', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', createLogger('test', 'silent'))
  const ttlMs = 500
  const [one, other] = [openAttemptClaims(bus, 'one', ttlMs), openAttemptClaims(bus, 'other', ttlMs)]

  const took = await Promise.all([one, other, one, other].map((claims) => claims.take('msg_1', 1)))
  t.equal(took.filter(Boolean).length, 1)
  t.ok(await other.take('msg_1', 2), 'the next attempt is another one')
  await delay(2 * ttlMs)
  t.ok(await other.take('msg_1', 1), 'its maker is gone')
})

t.test('a claim that was not used can be taken again at once', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', createLogger('test', 'silent'))
  const claims = openAttemptClaims(bus, 'one')
  t.ok(await claims.take('msg_1', 1))
  await claims.release('msg_1', 1)
  t.ok(await claims.take('msg_1', 1))
  t.notOk(await claims.take('msg_1', 1))
})

t.test('a bucket that was deleted is made again', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus(nats, 'test', createLogger('test', 'silent'))
  const claims = openAttemptClaims(bus, 'one')
  t.ok(await claims.take('msg_1', 1))
  await bus.jsm.streams.delete('KV_DELIVERY_CLAIMS')
  await t.rejects(claims.take('msg_1', 2), { name: 'BusUnavailable' })
  t.ok(await claims.take('msg_1', 2))
})
