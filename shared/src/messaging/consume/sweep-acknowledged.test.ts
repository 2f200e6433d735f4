import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import t from 'tap'
import { consumers } from '../../contracts/subjects.ts'
import { openBus } from '../connection/bus.ts'
import { ensureStreams } from '../streams/set-up-streams.ts'
import { openConsumer } from '../streams/streams.ts'
import { type Fate, sweepAcknowledged } from './sweep-acknowledged.ts'

t.test('acknowledged commands that are still in the stream are removed, or sent again if they are lost', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-sweep-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const messages = join(folder, 'store/jetstream/$G/streams/COMMANDS/msgs')
  const withServer = async (work: (bus: Awaited<ReturnType<typeof openBus>>) => Promise<void>) => {
    await using server = await startNatsServer(['-sd', join(folder, 'store')])
    const { log } = recordingLog()
    const bus = await openBus({ url: server.url }, 'test', log)
    await ensureStreams(bus.jsm)
    await work(bus)
    await bus[Symbol.asyncDispose]()
    await server.stop('SIGTERM')
  }
  const subject = (id: string) => `commands.render.batch.own_x.${id}`
  await withServer(async (bus) => {
    for (const id of ['one', 'two', 'three', 'four']) await bus.js.publish(subject(id), id)
  })
  await cp(messages, join(folder, 'before'), { recursive: true })
  await withServer(async (bus) => {
    const consumer = await openConsumer(bus, consumers.batch)
    for await (const message of await consumer.fetch({ max_messages: 4 })) await message.ackAck()
  })
  await rm(messages, { recursive: true })
  await cp(join(folder, 'before'), messages, { recursive: true })

  await withServer(async (bus) => {
    const left = async () => (await bus.jsm.streams.info('COMMANDS', { subjects_filter: '>' })).state.subjects
    t.equal(Object.keys((await left()) ?? {}).length, 4, 'they are in the stream again')
    const { log, text } = recordingLog()
    const fates: Record<string, Fate> = { one: 'done', two: 'lost', three: 'leave', four: 'done' }
    const fateOf = ({ data }: { data: Uint8Array }) => fates[Buffer.from(data).toString()] ?? 'leave'
    const sweep = () =>
      sweepAcknowledged({ bus, consumer: consumers.batch, fateOf, log, stopping: new AbortController().signal })
    await sweep()
    t.strictSame(await left(), { [subject('two')]: 1, [subject('three')]: 1 })
    t.match(text(), /"removed":2,"sent_again":1/)
    const consumer = await bus.js.consumers.get('COMMANDS', 'render-batch')
    const again = await consumer.next({ expires: 2_000 })
    t.equal(again?.string(), 'two')
    await again?.ackAck()
    await sweep()
    t.strictSame(await left(), { [subject('three')]: 1 })
  })
})
