import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openMemoryCgroup } from '../test/support/memory-cgroup.ts'
import { benchDocuments } from './documents/documents.ts'
import { cpuClock, parts, sumOf } from './machine/cpu-by-part.ts'
import { treePssMb } from './machine/process-tree.ts'
import { readOptions } from './machine/read-options.ts'
import { median } from './machine/statistics.ts'
import { watchOthers } from './machine/used-by-others.ts'
import { limited } from './report/limited.ts'
import { significant } from './report/text-table.ts'
import { expectAnswer, openPlaten, type RunningPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/weight.ts [options]

Measures what all processes of npm start weigh: Node.js, nats-server and Chromium. Exits with code 1 beyond a limit.

  at rest          processor time 10 ms a second; memory 350 MB
  mixed documents  memory 550 MB at most, and the last quarter within 1.10 of the second
  one slot         with RENDER_SLOTS=1 in a control group of 512 MB no process is killed, and each document is printed. Where this user
                   may not make a control group, the memory is measured

Memory is the proportional set size: another Chromium or Node.js on the machine makes it smaller, as files are shared.

  --seconds <n>     at rest (60), after as long a pause
  --documents <n>   mixed documents, four at once (2000); the limit is meant for 36000
  --slot <n>        documents in one slot, two at once (2000)
`
const values = readOptions(help, {
  seconds: { type: 'string', default: '60' },
  documents: { type: 'string', default: '2000' },
  slot: { type: 'string', default: '2000' },
})
const seconds = Number(values.seconds)
const mixed = (await benchDocuments()).filter(({ name }) => name !== 'table')

async function atRest(): Promise<void> {
  await using platen = await openPlaten()
  await delay(seconds * 1_000)
  const othersUsed = watchOthers()
  const clock = cpuClock(platen.pid)
  const startedAt = performance.now()
  await delay(seconds * 1_000)
  const used = clock.lap()
  const elapsedS = (performance.now() - startedAt) / 1_000
  const byPart = parts.map((part) => `${part} ${significant(used[part] / elapsedS)}`).join(', ')
  limited(`at rest, processor time a second (${byPart})`, sumOf(used) / elapsedS, 10, 'ms')
  limited('at rest, memory', treePssMb([platen.pid]), 350, 'MB')
  console.log(`other programs used ${(othersUsed() * 100).toFixed(0)} % of the processors meanwhile`)
}

/** Returns the samples of memory. Throws if a document is not printed. */
async function print({ client, pid }: RunningPlaten, count: number, atOnce: number): Promise<number[]> {
  const pssMb: number[] = []
  const every = Math.max(1, Math.floor(count / 80))
  let started = 0
  let printed = 0
  const work = async () => {
    while (started < count) {
      const document = mixed[started++ % mixed.length]
      expectAnswer(await client.post('/v1/generate', { html: document?.html }), 200)
      if (++printed % every === 0) pssMb.push(treePssMb([pid]))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return pssMb
}

async function underLoad(count: number): Promise<void> {
  await using platen = await openPlaten()
  const pssMb = await print(platen, count, 4)
  const quarter = Math.floor(pssMb.length / 4)
  const growth = median(pssMb.slice(-quarter)) / median(pssMb.slice(quarter, 2 * quarter))
  limited(
    `${count} mixed documents, memory at most (median ${significant(median(pssMb))} MB)`,
    Math.max(...pssMb),
    550,
    'MB',
  )
  limited(`${count} mixed documents, memory of the last quarter over the second`, growth, 1.1, '')
}

async function inOneSlot(count: number): Promise<void> {
  const limitMb = 512
  using group = openMemoryCgroup(limitMb)
  const settings = { RENDER_SLOTS: '1', ...(group && { PLATEN_CGROUP: group.processesFile }) }
  await using platen = await openPlaten(settings, join(import.meta.dirname, '../test/support/in-cgroup.ts'))
  const pssMb = await print(platen, count, 2)
  const what = `${count} mixed documents in one slot`
  if (group)
    limited(
      `${what}, processes killed in ${limitMb} MB (memory at most ${significant(group.peakMb())} MB)`,
      group.kills(),
      0,
      '',
    )
  else limited(`${what}, memory at most; no control group could be made`, Math.max(...pssMb), limitMb, 'MB')
  console.log(`${what}: browsers replaced ${platen.output().split('browser replaced').length - 1}`)
}

await atRest()
if (Number(values.documents) > 0) await underLoad(Number(values.documents))
if (Number(values.slot) > 0) await inOneSlot(Number(values.slot))
