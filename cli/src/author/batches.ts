import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { defineCommand, exitFound, one } from '../frame/command.ts'
import { dryRun, duration, isWithin, longestWaitDays, range, UsageError } from '../frame/options.ts'
import { printRows } from '../frame/table.ts'
import { type Batch, type BatchApi, openBatches } from './batch-api.ts'
import { ownerOption } from './library.ts'

const lookEveryMs = 1_000
const listed = 100
const statuses = ['queued', 'rendering', 'completed', 'failed', 'cancelled'] as const

export const batchColumns = ({ id, status, created_at, total, counts }: Batch) => [
  ...[id, status, created_at, `${total} items`],
  statuses
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name}`)
    .join(', '),
]

export const listBatches = defineCommand({
  name: 'batches list',
  summary: 'list batches, the newest last',
  options: { ...range('created'), ...ownerOption },
  notes: [`Without --since and --last the newest ${listed}.`],
  async run({ env, print }, { since, until, last = since === undefined ? listed : undefined, owner, json }) {
    const rows: Batch[] = []
    for await (const batch of (await openBatches(env, owner)).batches()) {
      if (rows.length === last || Date.parse(batch.created_at) < (since ?? 0)) break
      if (isWithin({ until }, batch.created_at)) rows.push(batch)
    }
    printRows(rows.reverse(), { print, json, columns: batchColumns })
  },
})

export const showBatch = defineCommand({
  name: 'batches show',
  argument: one('batch id'),
  summary: 'print the status of a batch, and the number of its items by status',
  options: ownerOption,
  async run({ env, print }, { argument, owner, json }) {
    printRows([await (await openBatches(env, owner)).batch(argument)], { print, json, columns: batchColumns })
  },
})

export const listBatchItems = defineCommand({
  name: 'batches items',
  argument: one('batch id'),
  summary: 'list the items of a batch in order, with the generation of each and why it has failed',
  options: {
    status: { value: 'STATUS', about: `only those that are ${statuses.join(', ')}`, read: readStatus },
    ...ownerOption,
  },
  async run({ env, print }, { argument, status, owner, json }) {
    for await (const item of (await openBatches(env, owner)).items(argument)) {
      if (status !== undefined && item.status !== status) continue
      const { index, generation_id, file_name = '', error } = item
      const line = [index, item.status, generation_id, file_name, error && `${error.code}: ${error.message}`]
      print(json ? JSON.stringify(item) : line.filter((text) => text).join('  '))
    }
  },
})

function readStatus(text: string, option: string): string {
  if ((statuses as readonly string[]).includes(text)) return text
  throw new UsageError(`${option} must be one of ${statuses.join(', ')}`)
}

export const waitForBatch = defineCommand({
  name: 'batches wait',
  argument: one('batch id'),
  summary: 'wait until a batch has ended, and print its status',
  options: { timeout: duration('fails after this time (default: never)', longestWaitDays), ...ownerOption },
  notes: ['Exits with 1 if items have failed or were cancelled. It may be run again at any time.'],
  async run({ env, print, progress, signal }, { argument, timeout, owner, json }) {
    const batches = await openBatches(env, owner)
    const ended = await untilEnded(batches, argument, { timeoutMs: timeout, progress, signal })
    printRows([ended], { print, json, columns: batchColumns })
    return ended.counts.failed + ended.counts.cancelled > 0 ? exitFound : 0
  },
})

interface Waiting {
  timeoutMs: number | undefined
  progress: (label: string) => { at(count: number, total?: number): void } & Disposable
  signal: AbortSignal
}

async function untilEnded(batches: BatchApi, id: string, { timeoutMs, progress, signal }: Waiting): Promise<Batch> {
  const until = performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  using bar = progress(id)
  for (;;) {
    const batch = await batches.batch(id)
    if (batch.ended_at !== undefined) return batch
    const { completed, failed, cancelled } = batch.counts
    const ended = completed + failed + cancelled
    bar.at(ended, batch.total)
    if (signal.aborted) throw new Error(`stopped; ${id} goes on: ${ended} of ${batch.total} items have ended`)
    if (performance.now() >= until) {
      throw new Error(`${id} has not ended in time: ${ended} of ${batch.total} items have; wait again, or cancel it`)
    }
    await sleep(lookEveryMs, signal)
  }
}

export const cancelBatch = defineCommand({
  name: 'batches cancel',
  argument: one('batch id'),
  summary: 'cancel the items of a batch that have not begun',
  options: { ...ownerOption, ...dryRun },
  notes: ['Items that have begun or ended stay as they are. A batch that has completed cannot be cancelled.'],
  async run({ env, print }, { argument, owner, json, 'dry-run': isDryRun }) {
    const batches = await openBatches(env, owner)
    if (!isDryRun) {
      printRows([await batches.cancel(argument)], { print, json, columns: batchColumns })
      return
    }
    const batch = await batches.batch(argument)
    if (batch.status === 'completed') throw new Error('The batch has already completed (CONFLICT)')
    const { id, counts } = batch
    const text = `${id}  ${counts.queued} items would be cancelled`
    print(json ? JSON.stringify({ id, would_cancel: counts.queued, dry_run: true }) : text)
  },
})
