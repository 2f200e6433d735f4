import { freePort } from '@platen/test-support/free-port.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from './bus.ts'
import { BusUnavailable } from './bus-unavailable.ts'

const log = pino({ level: 'silent' })

t.test('it connects to the first server of the list that answers', async (t) => {
  await using server = await startNatsServer()
  const nobody = `nats://127.0.0.1:${await freePort()}`
  await using bus = await openBus({ url: `${nobody},${server.url}` }, 'test', log)
  await t.resolves(bus.check())
})

t.test('the error names the URL without the password', async (t) => {
  const url = `nats://127.0.0.1:${await freePort()}`
  await t.rejects(openBus({ url, password: 'hunter2' }, 'test', log), {
    constructor: BusUnavailable,
    message: `NATS_URL: no NATS server answers at ${url}`,
  })
})

t.test('it authenticates with user and password, or with a token', async (t) => {
  await using byUser = await startNatsServer(['--user', 'platen', '--pass', 'hunter2'])
  await t.rejects(openBus({ url: byUser.url }, 'test', log), BusUnavailable)
  await using bus = await openBus({ url: byUser.url, user: 'platen', password: 'hunter2' }, 'test', log)
  await t.resolves(bus.check())
  await using byToken = await startNatsServer(['--auth', 's3cret'])
  await using second = await openBus({ url: byToken.url, token: 's3cret' }, 'test', log)
  await t.resolves(second.check())
})
