import { setTimeout as delay } from 'node:timers/promises'
import { ensureStreams } from '@platen/domain/streams/set-up-streams.ts'
import { commandSubjects, consumers } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { openConsumer } from '@platen/messaging/streams/streams.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import t from 'tap'
import { QueueDepth } from './queue-depth.ts'
import { queuedGenerations } from './queued-generations.ts'

const nats = await startNatsServer()
const bus = await openBus({ url: nats.url }, 'test', createLogger('test', 'silent'))
await ensureStreams(bus.jsm)
t.teardown(async () => {
  await bus[Symbol.asyncDispose]()
  await nats[Symbol.asyncDispose]()
})

const [one, two] = [newId('own'), newId('own')]
const enqueue = (priority: 'interactive' | 'batch', ownerId: string, id: string) => {
  const data = { request: { generation_id: id, owner_id: ownerId, api_key_id: 'key_one' }, input_key: 'inputs/x' }
  const metadata = { id, time: new Date().toISOString(), correlation_id: 'req_x' }
  return bus.js.publish(
    commandSubjects.render(priority, ownerId, id),
    JSON.stringify({ type: 'RenderPdf', data, metadata }),
  )
}

t.test('an owner finds its own generations of both priorities, newest first', async (t) => {
  const queue = queuedGenerations(bus)
  const [first, second, other] = [newId('pdf'), newId('pdf'), newId('pdf')]
  await enqueue('batch', one, first)
  await enqueue('interactive', one, second)
  await enqueue('batch', two, other)
  t.same(await queue.ids(one), [second, first])
  t.same(await queue.ids(newId('own')), [])
  for (const id of [first, second]) {
    t.match(await queue.find(id, one), { request: { generation_id: id }, state: { status: 'queued' } })
  }
  t.equal(await queue.find(other, one), undefined)
})

t.test('a long queue is listed completely', async (t) => {
  await bus.jsm.streams.purge('COMMANDS')
  const queued = 12_000
  const ids = Array.from({ length: queued }, () => newId('pdf'))
  for (let at = 0; at < queued; at += 1_000) {
    await Promise.all(ids.slice(at, at + 1_000).map((id) => enqueue('batch', one, id)))
  }
  t.same(await queuedGenerations(bus).ids(one), ids.toReversed())
})

t.test('the depth counts waiting and unacknowledged commands of the batch priority', async (t) => {
  await bus.jsm.streams.purge('COMMANDS')
  const depth = () => new QueueDepth(bus).batch()
  await enqueue('batch', one, newId('pdf'))
  await enqueue('batch', one, newId('pdf'))
  t.equal(await depth(), 2, 'without a consumer')
  const consumer = await openConsumer(bus, consumers.batch)
  await enqueue('interactive', one, newId('pdf'))
  t.equal(await depth(), 2)
  const message = await consumer.next()
  t.equal(await depth(), 2, 'one is delivered and not acknowledged')
  await message?.ackAck()
  t.equal(await depth(), 1)
})

t.test('generations added since the last count are counted without asking again', async (t) => {
  const depth = new QueueDepth(bus)
  const before = await depth.batch()
  depth.added()
  depth.added()
  t.equal(await depth.batch(), before + 2)
})

t.test('what other gateways have added to a queue that is half full is counted before more is accepted', async (t) => {
  const counted = async () => {
    const depth = new QueueDepth(bus)
    const before = await depth.batch()
    await enqueue('batch', two, newId('pdf'))
    await delay(50)
    return (await depth.batch(2 * before)) - before
  }
  let more = 0
  // On a very busy machine NATS may answer too late for a count.
  for (let attempt = 0; attempt < 10 && more === 0; attempt++) more = await counted()
  t.equal(more, 1)
})

t.test('while NATS does not answer, the last count is used', async (t) => {
  await using proxy = await startTcpProxy(Number(new URL(nats.url).port))
  await using far = await openBus({ url: `nats://127.0.0.1:${proxy.port}` }, 'far', createLogger('test', 'silent'))
  const depth = new QueueDepth(far)
  const counted = await depth.batch()
  depth.added()
  proxy.silent = true
  // Waits until older counts are no longer used.
  await delay(2_100)
  t.equal(await depth.batch(), counted + 1)
})

t.test('a generation whose command cannot be read is queued until a renderer has failed it', async (t) => {
  const id = newId('pdf')
  await bus.js.publish(commandSubjects.render('batch', one, id), 'garbage')
  t.match(await queuedGenerations(bus).find(id, one), {
    request: { generation_id: id, owner_id: one },
    state: { status: 'queued' },
  })
})
