import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { launchService } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import { type HostileBody, hostileBodies, type OpenApi } from '../../test/support/gateway/hostile-bodies.ts'
import { type HostileForm, hostileForms, hostileGotenbergForms } from '../../test/support/gateway/hostile-forms.ts'
import { startNatsServer } from '../../test/support/nats-server.ts'
import { textTable } from '../report/text-table.ts'

// Measures how long one body holds the event loop of a gateway, in processor time, while no other client is served. The
// limit is 50 ms; beyond it, the exit code is 1. The bodies are made from the OpenAPI document; forms and lines are listed.

const limitMs = 50
const rounds = 4
/** Parts of the largest body: a body with too many values for its size is refused early, a smaller one is handled. */
const sizes = [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16]

const { values } = parseArgs({
  options: {
    /** Measures one body in this many. */
    every: { type: 'string', default: '1' },
    /** Measures bodies whose description contains this text. */
    only: { type: 'string', default: '' },
  },
})
const say = (text: string) => process.stderr.write(`bench: ${text}\n`)

await using resources = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const nats = resources.use(await startNatsServer())
const [port, probePort, gotenbergPort] = await freePorts(3)
const apiKey = 'pk_0123456789abcdefghijklmnopqrstuvwxyz'
const settings = {
  NATS_URL: nats.url,
  EVENT_STORE_URL: `sqlite:${folder}/events.db`,
  OBJECT_STORE_URL: `file:${folder}/objects`,
  SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
}
const gateway = await launchService('gateway', {
  ...settings,
  PORT: `${port}`,
  API_KEY: apiKey,
  MAX_QUEUED: '1000000',
  // There is no renderer: what is accepted is answered then.
  SYNC_TIMEOUT_MS: '1000',
  DATA_DIR: join(folder, 'gateway'),
  PROBE_PORT: `${probePort}`,
  GOTENBERG_PORT: `${gotenbergPort}`,
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'loop-probe.ts'))}`,
})
resources.defer(() => gateway.end())
const template = await launchService('template', { ...settings, DATA_DIR: join(folder, 'template') })
resources.defer(() => template.end())
const document = (await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()) as OpenApi

/** The longest turn of the event loop since the last call. */
async function longestTurnMs(): Promise<number> {
  const { turn } = (await (await fetch(`http://127.0.0.1:${probePort}/`)).json()) as { turn: number }
  return turn
}

interface Sent {
  method: string
  url: string
  type: string
  body: string | Buffer
}

async function send({ method, url, type, body }: Sent): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type }
  const { status } = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(60_000) })
  return status
}

/** The shortest of several rounds, because the first ones compile, and some collect the garbage of others. */
async function measure(sent: Sent): Promise<{ status: number; ms: number }> {
  let status = 0
  let ms = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && (round === 0 || ms > limitMs / 2); round++) {
    await longestTurnMs()
    status = await send(sent)
    ms = Math.min(ms, await longestTurnMs())
  }
  return { status, ms }
}

function* ofJson({ what, method, path, maxBytes, text }: HostileBody): Generator<[what: string, sent: Sent]> {
  for (const size of sizes) {
    const body = text(Math.floor(maxBytes * size) - 400)
    yield [what, { method, url: `http://127.0.0.1:${port}${path}`, type: 'application/json', body }]
  }
}

/** Of the limit, of 1 MiB and of 64 KiB. */
function* ofForm(
  base: string,
  { what, path, type, maxBytes, body }: HostileForm,
): Generator<[what: string, sent: Sent]> {
  for (const bytes of [maxBytes, 2 ** 20, 2 ** 16]) {
    yield [what, { method: 'POST', url: `${base}${path}`, type, body: body(bytes - 400) }]
  }
}

function* bodies() {
  for (const form of hostileForms()) yield* ofForm(`http://127.0.0.1:${port}`, form)
  for (const form of hostileGotenbergForms()) yield* ofForm(`http://127.0.0.1:${gotenbergPort}`, form)
  for (const body of hostileBodies(document)) yield* ofJson(body)
}

const measured: { what: string; status: number; ms: number }[] = []
let number = 0
for (const [name, sent] of bodies()) {
  if (number++ % Number(values.every) !== 0) continue
  const what = `${name}, ${Math.round(sent.body.length / 1024)} KiB`
  if (!what.includes(values.only)) continue
  measured.push({ what, ...(await measure(sent)) })
  if (measured.length % 100 === 0) say(`${measured.length} bodies`)
}
const worst = measured.toSorted((one, other) => other.ms - one.ms)
const rows = worst.slice(0, 15).map(({ what, status, ms }) => [what, `${status}`, `${ms.toFixed(1)} ms`])
process.stdout.write(`${textTable(['body', 'status', 'event loop held'], rows)}\n`)
const above = worst.filter(({ ms }) => ms > limitMs).length
process.stdout.write(`${measured.length} bodies, limit ${limitMs} ms: ${above} above it\n`)
if (above > 0) process.exitCode = 1
