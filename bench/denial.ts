import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ownScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { attacks } from './attacks/deniers.ts'
import { openSender, type Sent } from './attacks/sender.ts'
import { answersOf, startAttack } from './attacks/start-attack.ts'
import { label } from './documents/label.ts'
import { processTree, pssMb } from './machine/process-tree.ts'
import { readOptions } from './machine/read-options.ts'
import { quantile } from './machine/statistics.ts'
import { textTable } from './report/text-table.ts'
import { openPlaten, type RunningPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/denial.ts [options]

One owner with a hundred API keys tries to stop another one. Measures the documents, changes and lists of the other owner, alone
and meanwhile. The limit of each 95th percentile is twice what it is alone. The memory of each process and the growth of the data
folder have limits, too, which are printed. Exits with code 1 above one.

  --seconds <n>   for each way to attack (60); it is measured alone for as long, but at most 60 s
  --only <text>   only the ways whose name contains this text
`

const limit = 2
const keysOfAttacker = 100
/** Memory limits of each process, and of all browser processes together, as docker-compose.yml sets them. */
const memoryLimitsMb = { 'Node.js': 1_024, 'nats-server': 1_024, browsers: 2_048 }
/**
 * Accepted data are in the event store and its write-ahead log, in a view, in COMMANDS for a moment and in EVENTS; an
 * asynchronous document has a file. Rejected requests leave nothing. The files of SQLite and JetStream grow in steps.
 */
const diskLimit = { perAcceptedByte: 6, perAcceptedMb: 1 / 8, stepsMb: 64 }

const values = readOptions(help, {
  seconds: { type: 'string', default: '60' },
  only: { type: 'string', default: '' },
})
const durationMs = Number(values.seconds) * 1_000
const aloneMs = Math.min(durationMs, 60_000)

const kinds = ['document', 'change', 'list'] as const
type Kind = (typeof kinds)[number]
interface Measured {
  latencies: Record<Kind, number[]>
  failed: string[]
}

/** One request after another, each some time after the last one. */
async function measure({ url, apiKey }: RunningPlaten, ms: number): Promise<Measured> {
  using sender = openSender({ url, apiKeys: [apiKey] }, new AbortController().signal)
  const { send, sent } = sender
  const latencies: Measured['latencies'] = { document: [], change: [], list: [] }
  const timed = async (kind: Kind, sending: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await sending()
    latencies[kind].push(performance.now() - startedAt)
    await delay(30)
  }
  const { html } = label()
  const { id } = JSON.parse((await send('POST', '/v1/templates', { body: { name: 'mine', html } })) ?? '')
  for (const until = performance.now() + ms; performance.now() < until; ) {
    await timed('document', () => send('POST', '/v1/generate', { body: { html } }))
    const body = { html: `${html}<!-- ${Date.now()} -->` }
    await timed('change', () => send('PATCH', `/v1/templates/${id}`, { body }))
    await timed('list', () => send('GET', '/v1/generations?limit=20'))
  }
  const failed = [...sent.answers]
    .filter(([status]) => !/^2/.test(status))
    .map(([status, count]) => `${status} ${count}×`)
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
  // For a sparse file, the space that it takes on the disk.
  return (
    sizes.reduce((sum, found) => sum + (found?.isFile() ? Math.min(found.size, found.blocks * 512) : 0), 0) / 2 ** 20
  )
}

type Program = keyof typeof memoryLimitsMb
const programs = Object.keys(memoryLimitsMb) as Program[]

/** The proportional set size of each program; the most so far. */
function watchMemory(pid: number): Record<Program, number> & Disposable {
  const most = { 'Node.js': 0, 'nats-server': 0, browsers: 0 }
  const look = () => {
    const now = { 'Node.js': 0, 'nats-server': 0, browsers: 0 }
    for (const one of processTree([pid])) {
      const program = one.pid === pid ? 'Node.js' : one.command.includes('nats-server') ? 'nats-server' : 'browsers'
      now[program] += pssMb(one.pid)
    }
    for (const program of programs) most[program] = Math.max(most[program], now[program])
  }
  const watching = setInterval(look, 1_000)
  return Object.assign(most, { [Symbol.dispose]: () => clearInterval(watching) })
}

interface Row {
  columns: string[]
  isAbove: boolean
}

/** Alone first, in the same process: the speed of a machine changes. */
async function measureWith(name: string): Promise<Row> {
  await using platen = await openPlaten({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const apiKeys = await issueKeys(platen)
  await measure(platen, 3_000)
  const alone = await measure(platen, aloneMs)
  const diskBefore = await diskMb(platen.dataDir)
  const end = startAttack({ file: './deniers.ts', name, target: { url: platen.url, apiKeys } })
  await delay(1_000)
  using memory = watchMemory(platen.pid)
  const beside = await measure(platen, durationMs)
  const sent = await end()
  const disk = judgeDisk((await diskMb(platen.dataDir)) - diskBefore, sent)
  const latencies = kinds.map((kind) => {
    const [before, now] = [alone, beside].map(({ latencies }) => quantile(latencies[kind], 0.95))
    return { text: `${before?.toFixed(0)} → ${now?.toFixed(0)} ms`, ratio: (now ?? 0) / (before ?? 1) }
  })
  const worst = Math.max(...latencies.map(({ ratio }) => ratio))
  const columns = [
    ...[name, ...latencies.map(({ text }) => text), worst.toFixed(2), beside.failed.join(', ') || '0'],
    ...[programs.map((program) => memory[program].toFixed(0)).join(', '), disk.text, answersOf(sent)],
  ]
  const usesTooMuch = disk.isAbove || programs.some((program) => memory[program] > memoryLimitsMb[program])
  return { columns, isAbove: !(worst <= limit) || beside.failed.length > 0 || usesTooMuch }
}

/** The growth since the attack began, with what the measured owner has stored. */
function judgeDisk(grownMb: number, { accepted, acceptedBytes }: Sent): { text: string; isAbove: boolean } {
  const { perAcceptedByte, perAcceptedMb, stepsMb } = diskLimit
  const boundMb = (perAcceptedByte * acceptedBytes) / 2 ** 20 + perAcceptedMb * accepted + stepsMb
  return { text: `${grownMb.toFixed(0)} of ${boundMb.toFixed(0)} MB`, isAbove: grownMb > boundMb }
}

const rows: string[][] = []
let above = 0
for (const { name } of attacks) {
  if (!name.includes(values.only)) continue
  process.stderr.write(`bench: ${name}\n`)
  const { columns, isAbove } = await measureWith(name)
  rows.push(columns)
  if (isAbove) above += 1
}
const p95 = kinds.map((kind) => `${kind} p95`)
const memoryHeader = `MB of ${programs.join(', ')}`
const header = ['another owner sends', ...p95, 'worst ratio', 'failed', memoryHeader, 'disk', 'it was answered']
process.stdout.write(`${textTable(header, rows)}\n`)
const { perAcceptedByte, perAcceptedMb, stepsMb } = diskLimit
const memoryLimits = programs.map((program) => `${program} ${memoryLimitsMb[program]} MB`).join(', ')
process.stdout.write(
  [
    `limits: ratio ${limit} of each 95th percentile; 0 failed; memory: ${memoryLimits}`,
    `disk: ${perAcceptedByte} times the bytes of accepted requests, ${perAcceptedMb * 1_024} KiB for each, and ${stepsMb} MB`,
    `${above} above a limit\n`,
  ].join('\n'),
)
if (above > 0 || rows.length === 0) process.exitCode = 1
