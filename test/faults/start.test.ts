import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import t from 'tap'
import { noTerminal } from '../support/at-terminal.ts'
import { freePorts } from '../support/free-port.ts'
import { launchPlaten, NotStarted, startPlaten, testApiKey } from '../support/platen.ts'
import { descendantsOf, processesNaming } from '../support/processes.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

t.test('the first start writes a new API key to a private file, and prints its path', async (t) => {
  await using platen = await startPlaten({ API_KEY: '' })
  const path = join(platen.dataDir, 'first-api-key')
  t.match(platen.output(), `\n    ${path}\n`)
  t.match(platen.output(), `${platen.url}/v1/generate`)
  const key = (await readFile(path, 'utf8')).trim()
  t.match(key, /^pk_[0-9A-Za-z]{43}$/)
  t.equal((await stat(path)).mode & 0o777, 0o600)
  const headers = { authorization: `Bearer ${key}` }
  t.equal((await platen.request('/v1/templates', { headers })).status, 200)
  t.notMatch(platen.output(), /pk_/, 'the key is in no journal')
  await platen.kill()
  await platen.start()
  t.match(platen.output(), path, 'as long as the file is there, its path is printed')
  t.notMatch(platen.output(), /pk_/)
  await rm(path)
  t.equal(await platen.stop(), 0)
  await platen.start()
  t.notMatch(platen.output(), /pk_|first-api-key/)
  t.equal((await platen.request('/v1/templates', { headers })).status, 200)
  const store = await readFile(join(platen.dataDir, 'events.db'))
  t.notOk(store.includes(key), 'the event log does not contain it')
})

t.test('a terminal shows the first API key, and it is kept nowhere', { skip: noTerminal }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [port, natsPort] = await freePorts(2)
  const settings = { PORT: String(port), NATS_PORT: String(natsPort), DATA_DIR: folder, TERM: 'xterm' }
  const start = (...args: string[]) => launchPlaten(settings, { isAtTerminal: true, args })
  const isKept = async () => (await readdir(folder)).includes('first-api-key')

  const contained = await start('contained')
  const path = join(folder, 'first-api-key')
  await until(
    async () => contained.output().includes(path) || undefined,
    () => contained.output(),
  )
  await contained.end()
  t.notMatch(contained.output(), /pk_/, 'Docker keeps what a terminal of a container shows')

  const first = await start()
  const [key = ''] = await until(
    async () => /pk_[0-9A-Za-z]{43}/.exec(first.output()) ?? undefined,
    () => `no key was shown: ${first.output()}`,
  )
  const headers = { authorization: `Bearer ${key}` }
  t.equal((await fetch(`http://127.0.0.1:${port}/v1/templates`, { headers })).status, 200)
  await until(async () => ((await isKept()) ? undefined : true), 'the file of the key is left')
  await first.end()
  t.equal(first.child.exitCode, 0)
  const second = await start()
  await second.end()
  t.notMatch(second.output(), /pk_|first-api-key/, 'the second start does not print it')
})

t.test('other users cannot read files in a data folder that they can list', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await chmod(folder, 0o755)
  // A copy that everybody can read.
  await writeFile(join(folder, 'views.db'), '', { mode: 0o644 })
  await mkdir(join(folder, 'objects'), { mode: 0o755 })
  await using platen = await startPlaten({ DATA_DIR: folder })
  t.notMatch(platen.output(), /DATA_DIR/)
  t.equal((await platen.request('/v1/generate', { body: { html: '<p>private' } })).status, 200)
  const files = await readdir(folder, { recursive: true })
  for (const wanted of ['events.db', 'signing-secret']) t.ok(files.includes(wanted), wanted)
  for (const file of files) {
    const { mode } = await stat(join(folder, file)).catch(() => ({ mode: 0 }))
    t.equal(mode & 0o077, 0, file)
  }
})

const notRoot = process.getuid?.() !== 0 && 'only root can give a folder to another user'

t.test('a data folder of another user, who can replace its files, is warned about', { skip: notRoot }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await writeFile(join(folder, 'old.db'), '')
  await chown(join(folder, 'old.db'), 65_534, 65_534)
  await chown(folder, 65_534, 65_534)
  await using platen = await startPlaten({ DATA_DIR: folder })
  t.match(platen.output(), /"files":\["\.","old\.db"\].*DATA_DIR are of another user.*chown/)
})

t.test('a data folder that every user can write to is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const mode of [0o777, 0o703]) {
    await chmod(folder, mode)
    const start = launchPlaten({ DATA_DIR: folder, PORT: '0', API_KEY: testApiKey })
    await t.rejects(start, {
      message: `DATA_DIR: every user can write to ${folder} (mode ${mode.toString(8)}); run chmod 700`,
    })
  }
  t.same(await readdir(folder), [])
})

t.test('invalid settings are reported in one line each, and no process starts', async (t) => {
  const wrong: [settings: Record<string, string>, wanted: RegExp[]][] = [
    [{ LOG_LEVEL: 'loud' }, [/LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"/]],
    [
      { NATS_URL: 'nats://me:hidden@localhost', NATS_PORT: '0' },
      [
        /NATS_URL must be nats:\/\/host:port .*NATS_USER and NATS_PASSWORD/,
        /NATS_PORT must be an integer from 1 to 65535/,
      ],
    ],
    [
      {
        PORT: 'abc',
        EVENT_STORE_URL: 'postgres://x',
        OBJECT_STORE_URL: '/tmp/x',
        PUBLIC_URL: 'pdf.example.com',
        CHROMIUM_PATH: 'chromium',
        API_KEY: 'short',
        RENDER_SLOTS: '0',
        RENDER_EGRESS: 'all',
        FILE_URL_TTL_S: '0',
        WEBHOOK_ALLOW_PRIVATE: 'yes',
        WEBHOOK_SCHEDULE: 'soon',
      },
      [
        /PORT must be an integer from 0 to 65535, not "abc"/,
        /EVENT_STORE_URL must be .*sqlite:/,
        /OBJECT_STORE_URL must be .*file:/,
        /PUBLIC_URL must be .*, not "pdf.example.com"/,
        /CHROMIUM_PATH must be the absolute path of a Chromium, not "chromium"/,
        /API_KEY must be/,
        /RENDER_SLOTS must be an integer from 1 to \d+, not "0"/,
        /RENDER_EGRESS must be one of public, none, any, not "all"/,
        /FILE_URL_TTL_S must be an integer from/,
        /WEBHOOK_ALLOW_PRIVATE must be true or false, not "yes"/,
        /WEBHOOK_SCHEDULE must be the seconds/,
      ],
    ],
    [{ CHROMIUM_PATH: '/no/such/chromium' }, [/CHROMIUM_PATH.*\/no\/such\/chromium/]],
    [{ DATA_DIR: '/dev/null/data' }, [/DATA_DIR: the folder \/dev\/null\/data cannot be created/]],
  ]
  const folder = t.testdir()
  for (const [settings, wanted] of wrong) {
    const what = Object.keys(settings).join(', ')
    const { message, exitCode } = await failedStart({ DATA_DIR: folder, ...settings })
    t.equal(exitCode, 1, what)
    for (const line of wanted) t.match(message, line, what)
    const lines = message.split('\n').filter((line) => /[A-Z]+_?[A-Z]+( must be|:)/.test(line))
    t.equal(lines.length, wanted.length, `${what}: ${lines.join('\n')}`)
    t.notMatch(message, /\n\s+at |node:/, `${what}: no stack`)
    t.notMatch(message, /"short"|hidden/, 'a secret is not printed')
  }
  t.strictSame(await processesNaming(folder), [])
})

t.test('a port in use ends the start with exit code 1', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const folder = t.testdir()
  t.match(await failedStart({ PORT: String(port), DATA_DIR: folder }), {
    message: new RegExp(`\\b${port}\\b`),
    exitCode: 1,
  })
  t.strictSame(await processesNaming(folder), [], 'no process is left')
  const left = async () => (await descendantsOf(process.pid)).filter(({ command }) => /chrom|nats-server/.test(command))
  await until(
    async () => ((await left()).length === 0 ? true : undefined),
    async () => `processes left: ${JSON.stringify(await left())}`,
  )
})

t.test('the gateway is prepared while Chromium starts', async (t) => {
  const chromium = process.env.CHROMIUM_PATH ?? findChromium(undefined, process.env.PATH ?? '')
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'))
  const waiting = join(folder, 'chromium')
  // If one were started after the other, this Chromium would be given up as one that does not start.
  const views = join(folder, 'data', 'gateway', 'views.db')
  await writeFile(waiting, `#!/bin/sh\nwhile [ ! -e '${views}' ]; do sleep 0.1; done\nexec '${chromium}' "$@"\n`)
  await chmod(waiting, 0o755)
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await using platen = await startPlaten({ CHROMIUM_PATH: waiting, DATA_DIR: join(folder, 'data') })
  t.notMatch(platen.output(), /cannot print documents/)
  t.equal((await platen.request('/v1/generate', { body: { html: '<p>printed' } })).status, 200)
  const { body } = await platen.json<{ details: object }>('/readyz')
  t.match(body.details, { browser: { browsers: { static: { failed_starts: 0 }, scripted: { failed_starts: 0 } } } })
})

t.test('a start that fails issues no API key, since it could not show it', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const settings = { API_KEY: '', DATA_DIR: folder }
  t.match(await failedStart({ ...settings, PORT: String(port) }), { exitCode: 1 })
  taken.close()
  t.notOk((await readdir(folder)).includes('first-api-key'))
  await using platen = await startPlaten(settings)
  t.match(platen.output(), join(folder, 'first-api-key'))
})

t.test('a data folder in use ends the start with exit code 1', async (t) => {
  await using platen = await startPlaten()
  const failure = await failedStart({ DATA_DIR: platen.dataDir })
  t.match(failure, { message: /DATA_DIR: .* is in use by another Platen/, exitCode: 1 })
  t.equal((await platen.json('/v1/generate', { body: { html: 'Next' } })).status, 200)
})

/** The message of a start that fails. */
async function failedStart(settings: Record<string, string>): Promise<{ message: string; exitCode: number | null }> {
  const [port, natsPort] = await freePorts(2)
  const all = { PORT: String(port), NATS_PORT: String(natsPort), API_KEY: testApiKey, ...settings }
  const running = await launchPlaten(all).catch((err: unknown) => {
    if (err instanceof NotStarted) return err
    throw err
  })
  if (running instanceof NotStarted) return running
  await running.end()
  throw new Error(`Platen started with ${JSON.stringify(settings)}`)
}
