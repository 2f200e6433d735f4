import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { attacks } from './attacks/abusers.ts'
import { answersOf, startAttack } from './attacks/start-attack.ts'
import { label } from './documents/label.ts'
import { readOptions } from './machine/read-options.ts'
import { quantile } from './machine/statistics.ts'
import { textTable } from './report/text-table.ts'
import { openPlaten, type RunningPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/sharing.ts [options]

Measures the synchronous requests of one API key, alone and while another key sends as much as it can. The limit of the 95th
percentile is twice what it is alone. Exits with code 1 above it.

  --seconds <n>   for each kind of requests of the other key (30)
  --only <text>   only the kinds whose name contains this text
`

const limit = 2

const values = readOptions(help, {
  seconds: { type: 'string', default: '30' },
  only: { type: 'string', default: '' },
})
const durationMs = Number(values.seconds) * 1_000

interface Measured {
  latencies: number[]
  failed: number
}

/** One request after another, each some time after the last one. */
async function measure({ client }: RunningPlaten, ms: number): Promise<Measured> {
  const { html } = label()
  const latencies: number[] = []
  let failed = 0
  for (const until = performance.now() + ms; performance.now() < until; await delay(50)) {
    const startedAt = performance.now()
    const { status } = await client.post('/v1/generate', { html })
    if (status !== 200) failed += 1
    latencies.push(performance.now() - startedAt)
  }
  return { latencies, failed }
}

/** An API key of the owner of the first one. */
async function issueKey({ dataDir }: RunningPlaten): Promise<string> {
  const key = newApiKey()
  const store = await openEventStore(`sqlite:${join(dataDir, 'events.db')}`)
  await issueApiKey(store, { key, name: 'abuser', scopes: ownScopes })
  await store.close()
  return key
}

const ms = (value: number) => `${value.toFixed(1)} ms`

/** Alone first, in the same process: the speed of a machine changes. */
async function measureWith(name: string): Promise<{ row: string[]; isAbove: boolean }> {
  await using platen = await openPlaten()
  const apiKey = await issueKey(platen)
  await measure(platen, 2_000)
  const alone = await measure(platen, durationMs)
  const end = startAttack({ file: './abusers.ts', name, target: { url: platen.url, apiKeys: [apiKey] } })
  await delay(1_000)
  const beside = await measure(platen, durationMs)
  const answers = answersOf(await end())
  const [p95Alone, p95] = [alone, beside].map(({ latencies }) => quantile(latencies, 0.95))
  const ratio = (p95 ?? 0) / (p95Alone ?? 0)
  const times = [alone, beside].flatMap(({ latencies }) => [0.5, 0.95].map((share) => ms(quantile(latencies, share))))
  const row = [name, ...times, ratio.toFixed(2), String(beside.failed), answers]
  return { row, isAbove: !(ratio <= limit) || beside.failed > 0 }
}

const rows: string[][] = []
let above = 0
for (const { name } of attacks) {
  if (!name.includes(values.only)) continue
  process.stderr.write(`bench: ${name}\n`)
  const { row, isAbove } = await measureWith(name)
  rows.push(row)
  if (isAbove) above += 1
}
const header = ['another key sends', 'alone p50', 'p95', 'beside p50', 'p95', 'ratio', 'failed', 'it was answered']
process.stdout.write(`${textTable(header, rows)}\n`)
process.stdout.write(`limit: ratio ${limit} of the 95th percentiles, 0 failed; ${above} above it\n`)
if (above > 0 || rows.length === 0) process.exitCode = 1
