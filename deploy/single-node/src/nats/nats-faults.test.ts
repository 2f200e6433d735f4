import { once } from 'node:events'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { readNatsConfig } from '@platen/service-kit/host/backing-services.ts'
import { healthSubject } from '@platen/service-kit/host/embedded-nats.ts'
import { freePort } from '@platen/test-support/free-port.ts'
import { natsServerPath, startNatsServer } from '@platen/test-support/nats-server.ts'
import { descendantsOf } from '@platen/test-support/processes.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { until } from '@platen/test-support/until.ts'
import { connect } from 'nats'
import t from 'tap'
import { type NatsChildOptions, startNatsChild } from './nats-child.ts'
import { faultOf, untilUnhealthy } from './nats-health.ts'
import { versionOf } from './nats-version.ts'

const silent = createLogger('test', 'silent')

async function startChild(dataDir: string, options: Partial<NatsChildOptions> = {}) {
  return startNatsChild({ dataDir, port: await freePort(), program: natsServerPath, log: silent, ...options })
}

/** A program that runs shell commands before it becomes nats-server. */
async function programThat(folder: string, commands: string): Promise<string> {
  const path = join(folder, `nats-server-${crypto.randomUUID()}`)
  const isVersion = `[ "$1" = --version ] && exec ${natsServerPath} --version`
  await writeFile(path, `#!/bin/bash\n${isVersion}\n${commands}\nexec ${natsServerPath} "$@"\n`)
  await chmod(path, 0o755)
  return path
}

/** The nats-server with its store in the folder. */
async function serverPid(folder: string): Promise<number> {
  const children = await descendantsOf(process.pid)
  return children.find(({ command }) => /nats-server/.test(command) && command.includes(folder))?.pid ?? 0
}

t.test('a server older than the one that wrote the store is refused', async (t) => {
  const dataDir = t.testdir()
  await using child = await startChild(dataDir)
  await child[Symbol.asyncDispose]()
  t.match(await readFile(join(dataDir, 'nats-version'), 'utf8'), /^\d+\.\d+\.\d+\n$/)
  await writeFile(join(dataDir, 'nats-version'), '9.9.9\n')
  await t.rejects(startChild(dataDir), { message: /written by nats-server 9\.9\.9, and \d+\.\d+\.\d+ is older/ })
  await rm(join(dataDir, 'nats-version'))
  await using _ = await startChild(dataDir)
})

t.test('a program that is not nats-server is named in the error', async (t) => {
  await t.rejects(startChild(t.testdir(), { program: '/bin/true' }), {
    message: /^NATS_SERVER_PATH: \/bin\/true is not nats-server, but .+$/,
  })
  await t.rejects(startChild(t.testdir(), { program: '/no/such' }), {
    message: /^\/no\/such cannot be run.*NATS_SERVER_PATH/,
  })
  await t.rejects(startChild(t.testdir(), { program: process.execPath }), {
    message: `NATS_SERVER_PATH: ${process.execPath} is not nats-server, but ${process.version}`,
  })
  const folder = t.testdir()
  const path = join(folder, 'program')
  const script = (text: string) => writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  await script('[ "$1" = --version ] && echo "nats-server: v2.15.1"')
  await t.rejects(startChild(folder, { program: path }), {
    message: `nats-server (${path}) exited: it printed nothing; is NATS_SERVER_PATH right?`,
  })
  await script('exec sleep 60')
  await t.rejects(versionOf(path, 100), { message: `NATS_SERVER_PATH: ${path} prints no version within 0.1 s` })
})

t.test('a NATS_PORT that another program uses is replaced, with a warning', async (t) => {
  await using nats = await startNatsServer()
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port: taken } = other.address() as AddressInfo
  for (const wanted of [taken, Number(new URL(nats.url).port)]) {
    const { log, text } = recordingLog()
    await using child = await startChild(t.testdir(), { log, port: wanted })
    const { port } = new URL(child.url)
    t.not(port, `${wanted}`)
    t.match(text(), `NATS_PORT: ${wanted} is in use by another program, using another port: ${port}`)
  }
})

t.test('a start may take long while it makes progress', async (t) => {
  const folder = t.testdir({ idle: {} })
  const busy = await programThat(folder, 'end=$((SECONDS + 3)); while [ $SECONDS -lt $end ]; do :; done')
  await using _ = await startChild(folder, { program: busy, stalledAfterMs: 1_000 })
  const idle = await programThat(folder, 'sleep 30')
  await t.rejects(startChild(join(folder, 'idle'), { program: idle, stalledAfterMs: 1_000 }), {
    message: /made no progress for 1000 ms/,
  })
})

t.test('a fault counts when the next look finds one, too', async (t) => {
  await using nats = await startNatsServer(['-js'])
  const server = await connect({ servers: nats.url })
  t.teardown(() => server.close())
  const reports = ['bad', undefined, 'bad', undefined, 'worse', 'worst']
  const left = [...reports]
  server.subscribe(healthSubject, {
    callback(_, message) {
      const error = left.shift()
      message.respond(JSON.stringify({ data: error === undefined ? { status: 'ok' } : { status: 'error', error } }))
    },
  })
  const { signal } = new AbortController()
  t.equal(await untilUnhealthy({ connection: { url: nats.url }, silentForMs: 60_000, signal }), 'worse')
  t.same(left, [], 'all were looked at')
})

t.test('a server that cannot write is restarted, and what it has acknowledged is kept', async (t) => {
  const folder = t.testdir()
  const { log, text } = recordingLog()
  // Writing beyond the limit fails as on a full disk.
  const program = await programThat(folder, `[ -e ${folder}/limited ] && ulimit -f 512`)
  await writeFile(join(folder, 'limited'), '')
  await using child = await startChild(folder, { program, log })
  await using bus = await openBus(readConfig(child.settings, readNatsConfig), 'test', silent)
  for await (const _ of setUpStreams(bus));
  const publish = () => bus.js.publish('events.test', 'x'.repeat(50_000), { timeout: 1_000 })
  let stored = 0
  await t.rejects(async () => {
    for (; stored < 100; stored++) await publish()
  })
  await rm(join(folder, 'limited'))
  await until(
    () =>
      publish().then(
        () => true,
        () => undefined,
      ),
    'no message is stored after the write error',
  )
  // The first symptom depends on the version: nats-server 2.9 reports no write error and stops answering.
  t.match(text(), /(write error|does not answer|could not be recovered).*nats-server failed, restarting/)
  t.ok((await bus.jsm.streams.info('EVENTS')).state.messages > stored)
})

t.test('a server without a stream is healthy', async (t) => {
  await using child = await startChild(t.testdir())
  await using bus = await openBus(readConfig(child.settings, readNatsConfig), 'test', silent)
  t.equal(await faultOf(bus.nats), undefined)
})

t.test('what a server without accounts has left in the store is named, and no reason for a restart', async (t) => {
  const dataDir = t.testdir()
  await using before = await startNatsServer(['-sd', join(dataDir, 'nats')])
  await using old = await openBus(before, 'test', silent)
  for await (const _ of setUpStreams(old));
  await old.js.publish('commands.render.batch.own_default.pdf_1', 'of an earlier Platen')
  await before.stop('SIGTERM')
  const { log, text } = recordingLog()
  await using child = await startChild(dataDir, { log })
  await using bus = await openBus(readConfig(child.settings, readNatsConfig), 'test', silent)
  for await (const _ of setUpStreams(bus));
  const pid = await serverPid(dataDir)
  // Longer than the interval of two health checks.
  await delay(5_000)
  t.match(text(), /queues that an earlier Platen has left are not read/)
  t.match(text(), join(dataDir, 'nats/jetstream/$G'))
  t.notMatch(text(), 'restarting')
  t.equal(await serverPid(dataDir), pid)
  t.ok(bus.connected)
})

t.test('a server that fails after each start is started with growing pauses', async (t) => {
  const folder = t.testdir()
  const program = await programThat(folder, `[ -e ${folder}/failing ] && (sleep 1; kill -KILL $$) &`)
  await writeFile(join(folder, 'failing'), '')
  const { log, text } = recordingLog()
  await using _ = await startChild(folder, { program, log })
  const failures = () =>
    [...text().matchAll(/"time":"([^"]+)"[^\n]*nats-server failed, restarting/g)].map(([, at = '']) => Date.parse(at))
  const times = await until(() => (failures().length >= 6 ? failures() : undefined), text)
  await rm(join(folder, 'failing'))
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  t.ok((pauses.at(-1) ?? 0) > (pauses[0] ?? 0) + 1_000, `${pauses}`)
})

t.test('a server that does not answer is killed and started again', async (t) => {
  const { log, text } = recordingLog()
  const dataDir = t.testdir()
  await using child = await startChild(dataDir, { log, silentForMs: 2_000 })
  const pid = await serverPid(dataDir)
  process.kill(pid, 'SIGSTOP')
  await using bus = await until(
    () => openBus(readConfig(child.settings, readNatsConfig), 'test', silent).catch(() => undefined),
    'the server is not started again',
  )
  t.not(await serverPid(dataDir), pid)
  t.match(text(), 'JetStream does not answer')
  t.match(text(), 'killing it')
  t.ok(bus.connected)
})
