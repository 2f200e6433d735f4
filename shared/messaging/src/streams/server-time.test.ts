import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from '../connection/bus.ts'
import { serverTime } from './server-time.ts'

t.test('the time of NATS is that of its messages, whatever the clock of this host says', async (t) => {
  await using server = await startNatsServer()
  await using bus = await openBus(server, 'test', pino({ level: 'silent' }))
  await bus.jsm.streams.add({ name: 'TEST', subjects: ['test'] })
  const before = Date.now()
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() + 25 * 3_600_000
  const time = await serverTime(bus, 'TEST')
  Date.now = now
  t.ok(time >= before - 1 && time <= Date.now() + 1, `${time - before} ms`)
})
