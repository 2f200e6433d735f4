import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { DenierThreadData } from './denial/denier-thread.ts'
import { deniers, sender } from './denial/deniers.ts'
import { label } from './documents/label.ts'
import { treePssMb } from './machine/process-tree.ts'
import { readOptions } from './machine/read-options.ts'
import { quantile } from './machine/statistics.ts'
import { textTable } from './report/text-table.ts'
import { openPlaten, type RunningPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/denial.ts [options]

One owner with a hundred API keys tries to stop another one. Measures the documents, changes and lists of the other owner, alone
and meanwhile. The limit of each 95th percentile is twice what it is alone. Exits with code 1 above it.

  --seconds <n>   for each way to attack (60)
  --only <text>   only the ways whose name contains this text
`

const limit = 2
const keysOfAttacker = 100

const values = readOptions(help, {
  seconds: { type: 'string', default: '60' },
  only: { type: 'string', default: '' },
})
const durationMs = Number(values.seconds) * 1_000

const kinds = ['document', 'change', 'list'] as const
type Kind = (typeof kinds)[number]
interface Measured {
  latencies: Record<Kind, number[]>
  failed: string[]
}

/** One request after another, each some time after the last one. */
async function measure({ url, apiKey }: RunningPlaten, ms: number): Promise<Measured> {
  const { send, answers, close } = sender({ url, apiKeys: [apiKey] }, new AbortController().signal)
  const latencies: Measured['latencies'] = { document: [], change: [], list: [] }
  const timed = async (kind: Kind, sending: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await sending()
    latencies[kind].push(performance.now() - startedAt)
    await delay(30)
  }
  const { html } = label()
  const { id } = JSON.parse((await send('POST', '/v1/templates', { name: 'mine', html })) ?? '')
  for (const until = performance.now() + ms; performance.now() < until; ) {
    await timed('document', () => send('POST', '/v1/generate', { html }))
    await timed('change', () => send('PATCH', `/v1/templates/${id}`, { html: `${html}<!-- ${Date.now()} -->` }))
    await timed('list', () => send('GET', '/v1/generations?limit=20'))
  }
  close()
  const failed = [...answers].filter(([status]) => !/^2/.test(status)).map(([status, count]) => `${status} ${count}×`)
  return { latencies, failed }
}

/** The API keys of another owner. */
async function issueKeys({ dataDir }: RunningPlaten): Promise<string[]> {
  const store = await openEventStore(`sqlite:${join(dataDir, 'events.db')}`)
  const owner = await createOwner(store, 'attacker')
  const keys = Array.from({ length: keysOfAttacker }, newApiKey)
  for (const key of keys) await issueApiKey(store, { key, name: 'attack', scopes: ownScopes, ownerId: owner })
  await store.close()
  return keys
}

async function diskMb(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(files.map((file) => stat(join(folder, file)).catch(() => undefined)))
  return sizes.reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0) / 2 ** 20
}

/** Alone first, in the same process: the speed of a machine changes. */
async function measureWith(name: string): Promise<{ row: string[]; isAbove: boolean }> {
  await using platen = await openPlaten({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const apiKeys = await issueKeys(platen)
  await measure(platen, 3_000)
  const alone = await measure(platen, durationMs)
  const diskBefore = await diskMb(platen.dataDir)
  const workerData: DenierThreadData = { name, url: platen.url, apiKeys }
  const attacker = new Worker(new URL('denial/denier-thread.ts', import.meta.url), { workerData })
  await delay(1_000)
  let memoryMb = 0
  const watching = setInterval(() => {
    memoryMb = Math.max(memoryMb, treePssMb([platen.pid]))
  }, 1_000)
  const beside = await measure(platen, durationMs)
  clearInterval(watching)
  attacker.postMessage('stop')
  const [answered]: Map<string, number>[] = await once(attacker, 'message')
  const answers = [...(answered ?? [])].map(([answer, count]) => `${answer} ${count}×`).join(', ')
  const columns = kinds.map((kind) => {
    const [before, now] = [alone, beside].map(({ latencies }) => quantile(latencies[kind], 0.95))
    return { text: `${before?.toFixed(0)} → ${now?.toFixed(0)} ms`, ratio: (now ?? 0) / (before ?? 1) }
  })
  const worst = Math.max(...columns.map(({ ratio }) => ratio))
  const disk = `${((await diskMb(platen.dataDir)) - diskBefore).toFixed(0)} MB`
  const row = [
    ...[name, ...columns.map(({ text }) => text), worst.toFixed(2), beside.failed.join(', ') || '0'],
    ...[`${memoryMb.toFixed(0)} MB`, disk, answers],
  ]
  return { row, isAbove: worst > limit || beside.failed.length > 0 }
}

const rows: string[][] = []
let above = 0
for (const { name } of deniers) {
  if (!name.includes(values.only)) continue
  process.stderr.write(`bench: ${name}\n`)
  const { row, isAbove } = await measureWith(name)
  rows.push(row)
  if (isAbove) above += 1
}
const p95 = kinds.map((kind) => `${kind} p95`)
const header = ['another owner sends', ...p95, 'worst ratio', 'failed', 'memory', 'disk', 'it was answered']
process.stdout.write(`${textTable(header, rows)}\n`)
process.stdout.write(`limit: ratio ${limit} of each 95th percentile, 0 failed; ${above} above it\n`)
if (above > 0) process.exitCode = 1
