import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { freePort } from '../testing/free-port.ts'
import { startNatsServer } from '../testing/nats-server.ts'
import { BusUnavailable, openBus } from './bus.ts'

const log = pino({ level: 'silent' })

async function startGuardedServer(t: Test, flags: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-nats-'))
  const port = await freePort()
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', folder, ...flags], { env })
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('Server is ready')) break
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })
  return `nats://127.0.0.1:${port}`
}

t.test('it opens on the first of several servers that answers', async (t) => {
  await using server = await startNatsServer()
  const nobody = `nats://127.0.0.1:${await freePort()}`
  await using bus = await openBus({ url: `${nobody},${server.url}` }, 'test', log)
  await t.resolves(bus.check())
})

t.test('it says who does not answer, and never a password', async (t) => {
  const url = `nats://127.0.0.1:${await freePort()}`
  await t.rejects(openBus({ url, password: 'hunter2' }, 'test', log), {
    constructor: BusUnavailable,
    message: `NATS_URL: no NATS server answers at ${url}`,
  })
})

t.test('it knows user and password, and token', async (t) => {
  const byUser = await startGuardedServer(t, ['--user', 'platen', '--pass', 'hunter2'])
  await t.rejects(openBus({ url: byUser }, 'test', log), BusUnavailable)
  await using bus = await openBus({ url: byUser, user: 'platen', password: 'hunter2' }, 'test', log)
  await t.resolves(bus.check())
  const byToken = await startGuardedServer(t, ['--auth', 's3cret'])
  await using second = await openBus({ url: byToken, token: 's3cret' }, 'test', log)
  await t.resolves(second.check())
})
