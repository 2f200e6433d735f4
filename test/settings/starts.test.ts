import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { allSettings, services } from '../../scripts/all-settings.ts'
import { startFakeS3 } from '../support/fake-s3/start-fake-s3.ts'
import { launchService, type Service, serviceEntryPoint } from '../support/fleet.ts'
import { freePort } from '../support/free-port.ts'
import { natsServerPath, startNatsServer } from '../support/nats-server.ts'
import { launch, launchPlaten, NotStarted, type Running, singleNode } from '../support/platen.ts'
import { wrongValues } from './wrong-values.ts'

t.setTimeout(600_000)

type Program = Service | 'platen'
type Settings = Record<string, string>

const resources = new AsyncDisposableStack()
t.teardown(() => resources.disposeAsync())
const nats = resources.use(await startNatsServer())
const guarded = resources.use(await startNatsServer(['--user', 'platen', '--pass', 'pa55-right']))
const byToken = resources.use(await startNatsServer(['--auth', 'pa55-right']))
const s3 = resources.use(await startFakeS3())

async function listening<Listening extends Server>(server: Listening): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  resources.defer(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const silent = await listening(createServer((socket) => socket.on('error', () => {})))
const web = await listening(createWebServer((_, response) => response.end('<h1>Hello')))
const [, webPort = ''] = web.split(':')

const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
const folder = t.testdir({ file: 'hello', damaged, folder: {} })
const files = [join(folder, 'none'), join(folder, 'folder'), join(folder, 'file'), join(folder, 'damaged')]

let starts = 0

/** The settings with which a program starts, in a data folder of its own. */
async function working(program: Program): Promise<Settings> {
  const dataDir = join(folder, `data-${++starts}`)
  await mkdir(dataDir, { mode: 0o700 })
  const own = { DATA_DIR: dataDir, PORT: '0' }
  if (program === 'platen') return { ...own, NATS_PORT: `${await freePort()}`, NATS_SERVER_PATH: natsServerPath }
  return {
    ...own,
    NATS_URL: nats.url,
    EVENT_STORE_URL: `sqlite:${folder}/events.db`,
    OBJECT_STORE_URL: `file:${folder}/objects`,
    SIGNING_SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'http://127.0.0.1:3000',
  }
}

const launched = (program: Program, settings: Settings): Promise<Running> =>
  program === 'platen' ? launchPlaten(settings) : launchService(program, settings)

/** The exit code and what a program prints that does not start. */
async function failedStart(program: Program, settings: Settings) {
  const given = { ...(await working(program)), ...settings }
  const running = await launched(program, given).catch((err: unknown) => {
    if (err instanceof NotStarted) return err
    throw err
  })
  if (running instanceof NotStarted) return { code: running.exitCode, printed: running.message }
  await running.end()
  throw new Error(`${program} started with ${JSON.stringify(settings)}`)
}

/** A wrong value of each setting of a form, by name. */
function wrongFor(program: Program): Settings {
  // The settings of the nats-server come before the others: see below.
  const only = [
    'LOG_LEVEL',
    'NATS_PORT',
    'NATS_SERVER_PATH',
    ...(program === 'platen' ? ['NATS_URL', 'ADMIN_PORT'] : []),
  ]
  const settings = allSettings.filter(({ setting, readBy }) => {
    if (setting.standard || only.includes(setting.name)) return false
    const isFree = setting.form.kind === 'text' && setting.form.form === undefined
    return !isFree && (program === 'platen' || readBy.includes(program))
  })
  return Object.fromEntries(settings.map(({ setting }) => [setting.name, wrongValues(setting)[0] ?? '']))
}

t.test('all wrong values at once: one line for each, and code 1', async (t) => {
  for (const program of [...services, 'platen'] as const) {
    const env = wrongFor(program)
    const { code, printed } = await failedStart(program, env)
    t.equal(code, 1, program)
    const lines = printed
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
    t.equal(lines.length, Object.keys(env).length, `${program}: ${printed}`)
    for (const name of Object.keys(env)) t.match(printed, new RegExp(`\\b${name} must be `), program)
  }
  for (const name of ['LOG_LEVEL', 'NATS_PORT', 'NATS_SERVER_PATH', 'NATS_URL']) {
    const listed = allSettings.find(({ setting }) => setting.name === name)
    const value = listed && wrongValues(listed.setting)[0]
    const { code, printed } = await failedStart('platen', { [name]: value ?? '' })
    t.equal(code, 1)
    t.match(printed, new RegExp(`^platen cannot run: ${name} must be .*\n$`, 'm'))
  }
})

const s3At = (address: string, more: Settings = {}): Settings => ({
  OBJECT_STORE_URL: `s3://${address}/platen?tls=false`,
  OBJECT_STORE_ACCESS_KEY: s3.accessKey,
  OBJECT_STORE_SECRET_KEY: s3.secretKey,
  ...more,
})

/** Values of a right form that name something that is not there or cannot be used. */
const unusable: [Program, string, Settings][] = [
  ...files.flatMap((path): [Program, string, Settings][] => [
    ['template', 'NATS_CREDS', { NATS_CREDS: path }],
    ['template', 'NATS_CERT', { NATS_CERT: path, NATS_KEY: path }],
    ['template', 'NODE_EXTRA_CA_CERTS', { NODE_EXTRA_CA_CERTS: path }],
    ['renderer', 'CHROMIUM_PATH', { CHROMIUM_PATH: path }],
    ['platen', 'NATS_SERVER_PATH', { NATS_SERVER_PATH: path }],
  ]),
  ...[files[0], files[2]].map((path = ''): [Program, string, Settings] => [
    'renderer',
    'FONTS_DIR',
    { FONTS_DIR: path },
  ]),
  ['platen', 'NODE_EXTRA_CA_CERTS', { NODE_EXTRA_CA_CERTS: join(folder, 'damaged') }],
  ...(['gateway', 'platen', 'notifier'] as const).map((program): [Program, string, Settings] => [
    program,
    'DATA_DIR',
    { DATA_DIR: join(folder, 'file', 'data') },
  ]),
  ['gateway', 'HOST', { HOST: '203.0.113.9' }],
  ['platen', 'HOST', { HOST: '203.0.113.9' }],
  ['platen', 'HOST', { HOST: 'no-such-host.invalid' }],
  ['gateway', 'PORT', { PORT: webPort }],
  ['platen', 'PORT', { PORT: webPort }],
  ['renderer', 'HOST', { HOST: '203.0.113.9', ADMIN_PORT: '9464' }],
  ['renderer', 'ADMIN_PORT', { ADMIN_PORT: webPort }],
  ['gateway', 'ASSET_TOTAL_MB', { ASSET_TOTAL_MB: '10', ASSET_MAX_MB: '20' }],
  ['template', 'NATS_USER', { NATS_URL: guarded.url }],
  ['template', 'NATS_USER', { NATS_URL: guarded.url, NATS_USER: 'platen', NATS_PASSWORD: 'pa55-wrong' }],
  ['template', 'NATS_PASSWORD', { NATS_URL: byToken.url, NATS_PASSWORD: 'pa55-wrong' }],
  ['platen', 'NATS_URL', { NATS_URL: 'nats://no-such-host.invalid' }],
  ['template', 'NATS_URL', { NATS_URL: `nats://${silent}` }],
  ['template', 'NATS_URL', { NATS_URL: `nats://${web}` }],
  ['template', 'NATS_URL', { NATS_URL: nats.url.replace('nats:', 'tls:') }],
  ['template', 'EVENT_STORE_URL', { EVENT_STORE_URL: `sqlite:${folder}/file` }],
  ['template', 'EVENT_STORE_URL', { EVENT_STORE_URL: `sqlite:${folder}/none/events.db` }],
  ['template', 'EVENT_STORE_URL', { EVENT_STORE_URL: 'esdb://127.0.0.1:2113' }],
  ['template', 'EVENT_STORE_URL', { EVENT_STORE_URL: `esdb://${web}?tls=false` }],
  ['gateway', 'EVENT_STORE_URL', { EVENT_STORE_URL: `esdb://${web}?tls=false`, API_KEY: 'a'.repeat(20) }],
  ['template', 'OBJECT_STORE_URL', { OBJECT_STORE_URL: `file:${folder}/file` }],
  ['template', 'OBJECT_STORE_URL', s3At(silent)],
  ['platen', 'OBJECT_STORE_URL', s3At(silent)],
  ['template', 'OBJECT_STORE_URL', s3At(web)],
  ['template', 'OBJECT_STORE_URL', s3At('no-such-host.invalid:9000')],
  ['template', 'OBJECT_STORE_ACCESS_KEY', s3At(`127.0.0.1:${s3.port}`, { OBJECT_STORE_ACCESS_KEY: '' })],
  ['template', 'OBJECT_STORE_ACCESS_KEY', s3At(`127.0.0.1:${s3.port}`, { OBJECT_STORE_ACCESS_KEY: 'other' })],
  ['template', 'OBJECT_STORE_SECRET_KEY', s3At(`127.0.0.1:${s3.port}`, { OBJECT_STORE_SECRET_KEY: 'pa55-wrong' })],
  ['template', 'OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }],
]

t.test('what a setting names cannot be used: one sentence with the setting, and code 1', async (t) => {
  await writeFile(join(folder, 'file'), 'hello', { mode: 0o644 })
  for (const [program, name, settings] of unusable) {
    const what = `${program} ${JSON.stringify(settings)}`
    const { code, printed } = await failedStart(program, settings)
    t.equal(code, 1, what)
    const [told = '', ...others] = printed.split('\n').filter((line) => line.includes(' cannot run: '))
    t.match(told, name, what)
    t.same(others, [], what)
    t.notMatch(printed, /\n\s+at |pa55/, `${what}: no stack, no password`)
  }
})

t.test('an event store that is silent is waited for, with a line that says so', async (t) => {
  for (const program of ['gateway', 'template', 'platen'] as const) {
    const settings = { ...(await working(program)), EVENT_STORE_URL: `esdb://${silent}?tls=false` }
    const entryPoint = program === 'platen' ? singleNode : serviceEntryPoint(program)
    const running = await launch({ entryPoint, settings, readyText: 'event store unavailable, waiting for it' })
    t.match(running.output(), 'EVENT_STORE_URL: The event store does not answer', program)
    await running.end()
  }
})

t.test('a name that is nearly a setting, or begins like one, is named at the start of each program', async (t) => {
  const misspelt = { LOG_LEVLE: 'debug', RENDER_SLOT: '2', WEBHOOK_SCHEDUEL: '0', OBJECT_STORE_BUCKET: 'a' }
  for (const program of [...services, 'platen'] as const) {
    const running = await launched(program, { ...(await working(program)), ...misspelt })
    for (const [name, meant] of Object.entries({ LOG_LEVLE: 'LOG_LEVEL', RENDER_SLOT: 'RENDER_SLOTS' }))
      t.match(running.output(), `${name} is not a setting and is ignored; ${meant} may be meant`, program)
    t.match(running.output(), 'WEBHOOK_SCHEDULE may be meant', program)
    t.match(running.output(), 'OBJECT_STORE_BUCKET is not a setting and is ignored', program)
    await running.end()
  }
})
