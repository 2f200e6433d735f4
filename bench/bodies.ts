import { randomUUID } from 'node:crypto'
import { freePorts } from '../test/support/free-port.ts'
import { loopProbe } from '../test/support/gateway/probed-gateway.ts'
import { label } from './documents/label.ts'
import { readOptions } from './machine/read-options.ts'
import { textTable } from './report/text-table.ts'
import { openPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/bodies.ts [options]

Clients send bodies of 100,000 different fields to the single node, each as soon as the last one is answered. Measures the longest
turn of the event loop of its process in processor time: meanwhile no other client is served. The limit is 15 ms. Exits with
code 1 above it.

  --seconds <n>   for each kind of request (10)
  --clients <n>   at once (4)
  --only <text>   only the kinds whose name contains this text
`

const limitMs = 15
const fields = 100_000

const values = readOptions(help, {
  seconds: { type: 'string', default: '10' },
  clients: { type: 'string', default: '4' },
  only: { type: 'string', default: '' },
})

const [probePort] = await freePorts(1)
await using platen = await openPlaten({
  PROBE_PORT: String(probePort),
  NODE_OPTIONS: loopProbe,
})

interface Held {
  /** The longest turn of the event loop in processor time, ms. */
  turn: number
  /** The longest delay of the event loop, ms. It grows while other processes keep the machine busy. */
  delay: number
}

/** How long bodies have held the event loop since the last call. */
async function held(): Promise<Held> {
  return (await (await fetch(`http://127.0.0.1:${probePort}/`)).json()) as Held
}

async function send(path: string, body: string | object, headers: Record<string, string> = {}, method = 'POST') {
  const answer = await fetch(new URL(path, platen.url), {
    method,
    headers: { authorization: `Bearer ${platen.apiKey}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

/** A JSON object of `count` fields. */
const mapOf = (count: number) => `{${Array.from({ length: count }, (_, at) => `"field_${at}":${at}`)}}`
const data = mapOf(fields)
/** A message of a preview has less than 900,000 bytes. */
const dataOfPreview = mapOf(45_000)
/** A template has at most 256 KiB of sample data, and as much of samples. */
const sampleData = mapOf(13_000)
let changes = 0
/** Different sample data each time, because equal data are no change. */
const changing = () => `{"change":${++changes},${sampleData.slice(1)}`
const html = JSON.stringify('{{field_1}}')
const data_schema = {
  type: 'object',
  properties: { field_1: { type: 'integer' } },
  additionalProperties: { type: 'integer' },
}
const template = { name: 'schema', html: '{{field_1}}', sample_data: { field_1: 1 }, data_schema }
const { id } = JSON.parse((await send('/v1/templates', template)).text)
const key = () => ({ 'idempotency-key': randomUUID() })

const kinds: Record<string, () => Promise<{ status: number; text: string }>> = {
  'small requests': () => send('/v1/generate', { html: label().html }),
  synchronous: () => send('/v1/generate', `{"html":${html},"data":${data}}`),
  asynchronous: () => send('/v1/generate', `{"html":${html},"data":${data},"async":true}`),
  'with an Idempotency-Key': () => send('/v1/generate', `{"html":${html},"data":${data}}`, key()),
  'of a template with a data_schema': () => send('/v1/generate', `{"template":"${id}","data":${data}}`),
  previews: () => send('/v1/preview', `{"html":${html},"client":"${randomUUID()}","data":${dataOfPreview}}`),
  'templates with sample data': () =>
    send('/v1/templates', `{"name":"x","html":${html},"sample_data":${sampleData},"samples":{"one":${sampleData}}}`),
  'changes of sample data': () =>
    send(`/v1/templates/${id}`, `{"sample_data":${changing()},"samples":{"one":${sampleData}}}`, {}, 'PATCH'),
  'refused, unknown fields': () => send('/v1/generate', `{"html":${html},${data.slice(1)}`),
  'refused, sample_data': () => send('/v1/templates', `{"name":"x","html":${html},"sample_data":${dataOfPreview}}`),
}

async function repeat(step: () => Promise<{ status: number }>, answers: Map<number, number>): Promise<void> {
  const until = performance.now() + Number(values.seconds) * 1_000
  while (performance.now() < until) {
    const { status } = await step()
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
}

const rows: string[][] = []
let above = 0
for (const [name, step] of Object.entries(kinds)) {
  if (!name.includes(values.only)) continue
  // The first requests start threads and compile code.
  for (let count = 0; count < 3; count++) await step()
  await held()
  const answers = new Map<number, number>()
  await Promise.all(Array.from({ length: Number(values.clients) }, () => repeat(step, answers)))
  const { turn, delay } = await held()
  if (turn > limitMs) above += 1
  const answered = [...answers].map(([status, count]) => `${status} ${count}×`).join(', ')
  rows.push([name, `${turn.toFixed(1)} ms`, `${delay.toFixed(1)} ms`, answered])
}
process.stdout.write(`${textTable(['requests', 'longest turn', 'longest delay', 'answered'], rows)}\n`)
process.stdout.write(`limit: ${limitMs} ms of processor time; ${above} above it\n`)
if (above > 0 || rows.length === 0) process.exitCode = 1
