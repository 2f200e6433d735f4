import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchService } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import { startNatsServer } from '../../test/support/nats-server.ts'
import { textTable } from '../report/text-table.ts'
import { type Body, bodies } from './bodies.ts'

// Measures how long one body blocks the event loop of a gateway. Meanwhile no other client is served. The limit is
// 50 ms. Exits with code 1 when a body exceeds it. There is no template service: an accepted template is a 503 in time.

const limitMs = 50
const rounds = 4

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
const [port] = await freePorts(1)
const apiKey = 'pk_0123456789abcdefghijklmnopqrstuvwxyz'
const gateway = await launchService('gateway', {
  PORT: `${port}`,
  API_KEY: apiKey,
  DATA_DIR: folder,
  NATS_URL: nats.url,
  EVENT_STORE_URL: `sqlite:${folder}/events.db`,
  OBJECT_STORE_URL: `file:${folder}/objects`,
  SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
})
resources.defer(() => gateway.end())

/** The longest delay of the event loop since the last call. */
async function longestDelayMs(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN)
}

async function send({ method, path, text }: Body): Promise<number> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  }
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: text })
  return status
}

/** The shortest of several rounds, because a busy machine makes some longer. */
async function measure(body: Body): Promise<{ status: number; ms: number }> {
  let status = 0
  let ms = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && (round === 0 || ms > limitMs / 2); round++) {
    await longestDelayMs()
    status = await send(body)
    ms = Math.min(ms, await longestDelayMs())
  }
  return { status, ms }
}

const measured: { what: string; status: number; ms: number }[] = []
let number = 0
for (const body of bodies()) {
  if (number++ % Number(values.every) !== 0) continue
  const what = `${body.method} ${body.path} ${body.what}`
  if (!what.includes(values.only)) continue
  measured.push({ what, ...(await measure(body)) })
  if (measured.length % 100 === 0) say(`${measured.length} bodies`)
}
const worst = measured.toSorted((one, other) => other.ms - one.ms)
const rows = worst.slice(0, 15).map(({ what, status, ms }) => [what, `${status}`, `${ms.toFixed(1)} ms`])
process.stdout.write(`${textTable(['body', 'status', 'event loop held'], rows)}\n`)
const above = worst.filter(({ ms }) => ms > limitMs).length
process.stdout.write(`${measured.length} bodies, limit ${limitMs} ms: ${above} above it\n`)
if (above > 0) process.exitCode = 1
