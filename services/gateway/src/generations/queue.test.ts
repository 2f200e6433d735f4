import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import { openBus } from '@platen/shared/messaging/bus.ts'
import { ensureStreams, openConsumer } from '@platen/shared/messaging/streams.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import { createLogger } from '@platen/shared/runtime/logger.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
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

const enqueue = (priority: 'interactive' | 'batch', apiKeyId: string, id: string) => {
  const data = { request: { generation_id: id, api_key_id: apiKeyId }, input_key: 'inputs/x.json' }
  const metadata = { id, time: new Date().toISOString(), correlation_id: 'req_x' }
  return bus.js.publish(
    commandSubjects.render(priority, apiKeyId, id),
    JSON.stringify({ type: 'RenderPdf', data, metadata }),
  )
}

t.test('an API key finds its own generations of both priorities, newest first', async (t) => {
  const queue = queuedGenerations(bus)
  const [first, second, other] = [newId('pdf'), newId('pdf'), newId('pdf')]
  await enqueue('batch', 'key_one', first)
  await enqueue('interactive', 'key_one', second)
  await enqueue('batch', 'key_two', other)
  t.same(await queue.ids('key_one'), [second, first])
  t.same(await queue.ids('key_none'), [])
  for (const id of [first, second]) {
    t.match(await queue.find('key_one', id), { request: { generation_id: id }, state: { status: 'queued' } })
  }
  t.equal(await queue.find('key_one', other), undefined)
})

t.test('a long queue is listed completely', async (t) => {
  const queued = 12_000
  const ids = Array.from({ length: queued }, () => newId('pdf'))
  for (let at = 0; at < queued; at += 1_000) {
    await Promise.all(ids.slice(at, at + 1_000).map((id) => enqueue('batch', 'key_long', id)))
  }
  t.same(await queuedGenerations(bus).ids('key_long'), ids.toReversed())
})

t.test('the depth counts waiting and unacknowledged commands of the batch priority', async (t) => {
  await bus.jsm.streams.purge('COMMANDS')
  const depth = () => new QueueDepth(bus).batch()
  await enqueue('batch', 'key_one', newId('pdf'))
  await enqueue('batch', 'key_one', newId('pdf'))
  t.equal(await depth(), 2, 'without a consumer')
  const durable = { stream: 'COMMANDS', durable: 'any-name', filterSubject: commandSubjects.allRender('batch') }
  const consumer = await openConsumer(bus, durable)
  await enqueue('interactive', 'key_one', newId('pdf'))
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

t.test('a generation whose command cannot be read is queued until a renderer has failed it', async (t) => {
  const id = newId('pdf')
  await bus.js.publish(commandSubjects.render('batch', 'key_garbage', id), 'garbage')
  t.match(await queuedGenerations(bus).find('key_garbage', id), {
    request: { generation_id: id },
    state: { status: 'queued' },
  })
})
