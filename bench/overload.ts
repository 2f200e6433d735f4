import { setTimeout as delay } from 'node:timers/promises'
import { label } from './documents/label.ts'
import { readOptions } from './machine/read-options.ts'
import { quantile } from './machine/statistics.ts'
import { textTable } from './report/text-table.ts'
import { openHttpClient } from './strategies/http-client.ts'
import { openPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/overload.ts [options]

Sends synchronous requests at fixed rates, whether they are answered or not, and counts those that are answered with a PDF in
time (goodput). The limit at twice the capacity is 80 % of the best. Exits with code 1 below it.

  --seconds <n>   for each rate (15)
`

const limit = 0.8
/** Of the documents a second that sixteen clients get who wait for each answer. */
const factors = [0.5, 1, 1.5, 2, 3]
const timeoutMs = 2_000

const values = readOptions(help, { seconds: { type: 'string', default: '15' } })
const durationMs = Number(values.seconds) * 1_000

await using platen = await openPlaten({ SYNC_TIMEOUT_MS: String(timeoutMs), LOG_LEVEL: 'fatal' })
using client = openHttpClient(platen.url, { authorization: `Bearer ${platen.apiKey}` }, 10_000)
const body = Buffer.from(JSON.stringify({ html: label().html }))

interface Measured {
  sent: number
  inTime: number
  refused: number
  timedOut: number
  latencies: number[]
  refusals: number[]
}

async function send(measured: Measured): Promise<void> {
  const startedAt = performance.now()
  measured.sent += 1
  const { status } = await client.post('/v1/generate', body)
  const ms = performance.now() - startedAt
  if (status === 200 && ms <= timeoutMs) measured.latencies.push(ms)
  if (status === 200 && ms <= timeoutMs) measured.inTime += 1
  else if (status === 503) measured.refusals.push(ms)
  if (status === 503) measured.refused += 1
  if (status === 504) measured.timedOut += 1
}

const nothing = (): Measured => ({ sent: 0, inTime: 0, refused: 0, timedOut: 0, latencies: [], refusals: [] })

/** Documents a second of clients that wait for each answer. */
async function capacity(): Promise<number> {
  const measured = nothing()
  const until = performance.now() + durationMs / 2
  const work = async () => {
    while (performance.now() < until) await send(measured)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return measured.inTime / (durationMs / 2_000)
}

async function atRate(perSecond: number): Promise<Measured> {
  const measured = nothing()
  const sending: Promise<void>[] = []
  const startedAt = performance.now()
  for (let now = startedAt; now < startedAt + durationMs; now = performance.now()) {
    const due = ((now - startedAt) / 1_000) * perSecond
    while (sending.length < due) sending.push(send(measured))
    await delay(5)
  }
  await Promise.all(sending)
  return measured
}

await capacity()
const full = await capacity()
const results: { rate: number; goodput: number; measured: Measured }[] = []
const measure = async (rate: number): Promise<number> => {
  process.stderr.write(`bench: ${rate.toFixed(0)} requests a second\n`)
  const measured = await atRate(rate)
  const goodput = measured.inTime / (durationMs / 1_000)
  results.push({ rate, goodput, measured })
  await delay(timeoutMs)
  return goodput
}
for (const factor of factors) await measure(factor * full)
// The capacity is what was reached, whatever the clients got that waited.
const best = Math.max(...results.map(({ goodput }) => goodput))
const atTwice = (await measure(2 * best)) / best
const ms = (times: number[], share: number) => (times.length === 0 ? '–' : `${quantile(times, share).toFixed(0)} ms`)
const rows = results.map(({ rate, goodput, measured: { sent, refused, timedOut, latencies, refusals } }) => [
  `${rate.toFixed(0)} /s`,
  String(sent),
  `${goodput.toFixed(1)} /s`,
  (goodput / best).toFixed(2),
  ms(latencies, 0.95),
  String(refused),
  ms(refusals, 0.5),
  String(timedOut),
])
const header = ['rate', 'sent', 'goodput', 'of the best', 'p95', 'refused', 'after (p50)', '504']
process.stdout.write(`sixteen clients: ${full.toFixed(1)} documents a second\n${textTable(header, rows)}\n`)
process.stdout.write(
  `limit: ${limit} of the best at twice the best, which is the last line; it is ${atTwice.toFixed(2)}\n`,
)
if (atTwice < limit) process.exitCode = 1
