import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { launchService } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import { type HostileBody, hostileBodies, type OpenApi } from '../../test/support/gateway/hostile-bodies.ts'
import { startNatsServer } from '../../test/support/nats-server.ts'
import { textTable } from '../report/text-table.ts'

// Measures how long one body holds the event loop of a gateway, in processor time, while no other client is served. The
// limit is 50 ms; beyond it, the exit code is 1. The bodies are made from the OpenAPI document.

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
const [port, probePort] = await freePorts(2)
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
  DATA_DIR: join(folder, 'gateway'),
  PROBE_PORT: `${probePort}`,
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

async function send({ method, path }: HostileBody, text: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
  }
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: text })
  return status
}

/** The shortest of several rounds, because the first ones compile, and some collect the garbage of others. */
async function measure(body: HostileBody, text: string): Promise<{ status: number; ms: number }> {
  let status = 0
  let ms = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && (round === 0 || ms > limitMs / 2); round++) {
    await longestTurnMs()
    status = await send(body, text)
    ms = Math.min(ms, await longestTurnMs())
  }
  return { status, ms }
}

const measured: { what: string; status: number; ms: number }[] = []
let number = 0
for (const body of hostileBodies(document)) {
  for (const size of sizes) {
    if (number++ % Number(values.every) !== 0) continue
    const text = body.text(Math.floor(body.maxBytes * size) - 400)
    const what = `${body.what}, ${Math.round(text.length / 1024)} KiB`
    if (!what.includes(values.only)) continue
    measured.push({ what, ...(await measure(body, text)) })
    if (measured.length % 100 === 0) say(`${measured.length} bodies`)
  }
}
const worst = measured.toSorted((one, other) => other.ms - one.ms)
const rows = worst.slice(0, 15).map(({ what, status, ms }) => [what, `${status}`, `${ms.toFixed(1)} ms`])
process.stdout.write(`${textTable(['body', 'status', 'event loop held'], rows)}\n`)
const above = worst.filter(({ ms }) => ms > limitMs).length
process.stdout.write(`${measured.length} bodies, limit ${limitMs} ms: ${above} above it\n`)
if (above > 0) process.exitCode = 1
