import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from '../connection/bus.ts'
import { openBucket } from './bucket.ts'

const log = pino({ level: 'silent' })

t.test('a bucket that another process creates and limits meanwhile is opened', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', log)
  const bucket = { name: 'SHARED', maxBytes: 2 ** 20 }
  /** The other process is between the question whether there is one and its creation. */
  const kv = async () => {
    await openBucket(bus, bucket)
    return bus.jsm.streams.add({ name: 'KV_SHARED', subjects: ['$KV.SHARED.>'], max_msgs_per_subject: 1 })
  }
  const { jsm, queries, managesStreams } = bus
  const late = {
    jsm,
    queries,
    managesStreams,
    js: { views: { kv } },
    whenConnected: () => bus.whenConnected(),
    untilDisconnected: <Result>(work: Promise<Result>) => bus.untilDisconnected(work),
  }
  const opened = await openBucket(late as never, bucket)
  await opened.put('a', 'b')
  t.equal((await queries.streams.info('KV_SHARED')).config.max_bytes, 2 ** 20)
})
