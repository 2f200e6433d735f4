import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@platen/test-support/free-port.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import { startTcpProxy } from '@platen/test-support/tcp-proxy.ts'
import { until } from '@platen/test-support/until.ts'
import { pino } from 'pino'
import t from 'tap'
import { openBus } from './bus.ts'
import { BusUnavailable, JetStreamSilent } from './bus-unavailable.ts'
import { natsSettings, serversOf } from './nats-options.ts'

const log = pino({ level: 'silent' })

t.test('it connects to the first server of the list that answers', async (t) => {
  await using server = await startNatsServer()
  const nobody = `nats://127.0.0.1:${await freePort()}`
  await using bus = await openBus({ url: `${nobody},${server.url}` }, 'test', log)
  await t.resolves(bus.check())
})

t.test(
  'a server that accepts connections and does not answer is left for another one while requests wait',
  async (t) => {
    await using server = await startNatsServer()
    await using proxy = await startTcpProxy(Number(new URL(server.url).port))
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    t.teardown(() => {
      silent.close()
      for (const socket of sockets) socket.destroy()
    })
    const { port } = silent.address() as AddressInfo
    const url = `nats://127.0.0.1:${port},127.0.0.1:${proxy.port}`
    let asked = false
    silent.on('connection', () => (asked = true))
    let bus = await openBus({ url }, 'test', log)
    t.teardown(() => bus[Symbol.asyncDispose]())
    // The client begins with any of them, and forgets one that has never answered.
    for (; asked; bus = await openBus({ url }, 'test', log)) {
      await bus[Symbol.asyncDispose]()
      asked = false
    }
    for (let times = 0; times < 3; times++) {
      const dialed = once(silent, 'connection')
      proxy.cut()
      await dialed
      await t.resolves(bus.whenConnected())
      t.ok(bus.connected)
    }
  },
)

t.test('what waits for an answer, or for a connection, ends when the bus is closed', async (t) => {
  const server = await startNatsServer()
  const [closed, disconnected] = await Promise.all([1, 2].map(() => openBus({ url: server.url }, 'test', log)))
  if (!closed || !disconnected) return
  const answer = closed.untilDisconnected(new Promise(() => {}))
  await closed[Symbol.asyncDispose]()
  await t.rejects(answer, { code: 'DISCONNECT' })

  await server[Symbol.asyncDispose]()
  await until(() => (disconnected.connected ? undefined : true), 'the server is still there')
  const waiting = t.rejects(disconnected.whenConnected(), { name: 'BusUnavailable' })
  let readings = 0
  const startedAt = performance.now()
  // A millisecond each: a loop that waits without a pause reads the clock for seconds of it.
  t.intercept(performance, 'now', { value: () => startedAt + readings++ })
  await disconnected[Symbol.asyncDispose]()
  await waiting
  t.ok(readings < 1_000, `${readings}`)
})

t.test('the error names the URL without the password', async (t) => {
  const url = `nats://127.0.0.1:${await freePort()}`
  await t.rejects(openBus({ url, password: 'hunter2' }, 'test', log), {
    constructor: BusUnavailable,
    message: `NATS_URL: no NATS server answers at ${url}`,
  })
})

t.test('NATS_URL lists servers, with a scheme for the first at least, and nothing else', async (t) => {
  for (const url of [
    'nats://a',
    'tls://a.example:4222/',
    'nats://10.0.0.1:4222,nats://[::1]:4222',
    'nats://a_1:4222,b:4222,c',
  ])
    t.strictSame(natsSettings.url.parse(url), { value: url })
  t.strictSame(serversOf({ url: 'nats://a:1/,tls://b:2,c:3' }), ['a:1', 'b:2', 'c:3'])
  for (const url of [
    'a:4222',
    'http://a',
    'nats://u:p@a',
    'nats://a;nats://b',
    'nats://a/x',
    'nats://a:port',
    'nats://a, b',
  ])
    t.match(natsSettings.url.parse(url), { problem: /^must be nats:/ }, url)
})

t.test('a user that may not use JetStream is named', async (t) => {
  const path = join(t.testdir(), 'nats.conf')
  const denied = 'permissions: { publish: { deny: ["$JS.>"] } }'
  writeFileSync(path, `authorization { users: [ { user: poor, password: hunter2, ${denied} } ] }\n`)
  await using server = await startNatsServer(['-c', path])
  await t.rejects(openBus({ url: server.url, user: 'poor', password: 'hunter2' }, 'test', log), {
    message: `NATS_USER (poor) and NATS_PASSWORD: this user may not use JetStream at the NATS server ${server.url}`,
  })
})

t.test('a JetStream that does not answer yet is told apart from one that is not on', async (t) => {
  const path = join(t.testdir(), 'nats.conf')
  writeFileSync(path, 'accounts { POOR { users: [ { user: poor, password: hunter2 } ] } }\n')
  await using server = await startNatsServer(['-c', path])
  const login = { user: 'poor', password: 'hunter2' }
  const opened = openBus({ url: server.url, ...login }, 'test', log)
  await t.rejects(opened, { name: 'BusUnavailable', message: /JetStream is off, or not on for this account/ })
  t.notOk((await opened.catch((err) => err)) instanceof JetStreamSilent)
  const silent = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => bytes.includes('PING') && socket.write('PONG\r\n'))
    socket.write('INFO {"server_id":"silent","version":"2.15.1","max_payload":1048576,"proto":1,"headers":true}\r\n')
  }).listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const refusal = await openBus({ url: `nats://127.0.0.1:${port}` }, 'test', log).catch((err) => err)
  t.ok(refusal instanceof JetStreamSilent, String(refusal))
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
