import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type Bus, openBus } from '@platen/messaging/connection/bus.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { until } from '@platen/test-support/until.ts'
import t from 'tap'
import { AttemptClaims } from './attempt-claims.ts'

const nats = await startNatsServer()
const bus: Bus = await openBus(nats, 'test', createLogger('test', 'silent'))
t.teardown(async () => {
  await bus[Symbol.asyncDispose]()
  await nats[Symbol.asyncDispose]()
})

async function take(claims: AttemptClaims, id: string, attempt = 1) {
  const taken = await claims.take(id, attempt)
  if ('heldForMs' in taken) return undefined
  // A process that stops does not renew its claims.
  taken[Symbol.dispose]()
  return taken
}

/** Shorter than a notifier's, and longer than what is done while it is held takes on a busy machine. */
const ms = 6_000

t.test('an attempt is claimed by one notifier until the claim expires', async (t) => {
  const [one, other] = [new AttemptClaims(bus, 'one', { ms }), new AttemptClaims(bus, 'other', { ms })]
  const taken = await Promise.all([one, other, one, other].map((claims) => take(claims, 'msg_1')))
  t.equal(taken.filter(Boolean).length, 1)
  t.ok(await take(other, 'msg_1', 2), 'each attempt has its own claim')
  const held = await other.take('msg_1', 1)
  t.ok('heldForMs' in held && held.heldForMs <= ms)
  t.match(await until(() => take(other, 'msg_1'), 'the claim does not expire'), { times: 2 })
})

t.test('a claim is renewed while it is held', async (t) => {
  const [one, other] = [new AttemptClaims(bus, 'one', { ms }), new AttemptClaims(bus, 'other', { ms })]
  const claim = await one.take('msg_2', 1)
  let leftMs = Number.POSITIVE_INFINITY
  const renewed = async () => {
    const held = await other.take('msg_2', 1)
    if (!('heldForMs' in held)) throw new Error('the claim has expired')
    const before = leftMs
    leftMs = held.heldForMs
    return leftMs > before || undefined
  }
  for (const time of ['once', 'again']) t.ok(await until(renewed, 'the claim is not renewed'), time)
  if ('times' in claim) claim[Symbol.dispose]()
  t.ok(await until(() => take(other, 'msg_2'), 'the claim does not expire'))
})

t.test('nobody takes a claim before it expires, whatever its name is', async (t) => {
  const [one, same] = [new AttemptClaims(bus, 'one', { ms }), new AttemptClaims(bus, 'one', { ms })]
  t.match(await take(one, 'msg_3'), { times: 1 })
  t.notOk(await take(same, 'msg_3'))
  t.notOk(await take(one, 'msg_3'))
  t.match(await until(() => take(same, 'msg_3'), 'the claim does not expire'), { times: 2 })
})

t.test(
  'the first claim of a process that has certainly ended is taken at once, and the later ones expire',
  async (t) => {
    const hasEnded = (holder: string) => holder === 'ended'
    const [ended, other] = [new AttemptClaims(bus, 'ended'), new AttemptClaims(bus, 'other')]
    const next = new AttemptClaims(bus, 'next', { hasEnded })
    await take(ended, 'msg_7')
    t.match(await take(next, 'msg_7'), { times: 2 })
    await take(other, 'msg_8')
    t.notOk(await take(next, 'msg_8'), 'it may be running')
    const third = new AttemptClaims(bus, 'third', { hasEnded: (holder) => holder === 'next' })
    t.notOk(await take(third, 'msg_7'), 'a delivery is not given up within seconds')
  },
)

t.test('a claim that was lost is not freed', async (t) => {
  const ms = 400
  const [one, other] = [new AttemptClaims(bus, 'one', { ms }), new AttemptClaims(bus, 'other', { ms })]
  const stalled = await take(one, 'msg_6')
  t.ok(await until(() => take(other, 'msg_6'), 'the claim does not expire'))
  await stalled?.release()
  t.notOk(await take(one, 'msg_6'), 'it belongs to the other one')
})

t.test('a released claim can be taken again', async (t) => {
  const claims = new AttemptClaims(bus, 'one')
  await (await take(claims, 'msg_4'))?.release()
  t.match(await take(claims, 'msg_4'), { times: 1 })
  t.notOk(await take(claims, 'msg_4'))
})

t.test('a deleted bucket is created again', async (t) => {
  const claims = new AttemptClaims(bus, 'one')
  t.ok(await take(claims, 'msg_5'))
  await bus.jsm.streams.delete('KV_DELIVERY_CLAIMS')
  await t.rejects(claims.take('msg_5', 2), { name: 'BusUnavailable' })
  t.ok(await take(claims, 'msg_5', 2))
})
