import { join } from 'node:path'
import type { EventStore, NewEvent } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { runViews } from '../../services/gateway/src/views/run-views.ts'
import { textTable } from '../report/text-table.ts'

// node bench/gateway/folding.ts
// Measures the longest time for which a gateway that updates its views at full speed holds its event loop, while no
// client is served. It counts processor time, so that other programs do not matter. The
// limit is 20 ms; beyond it, the exit code is 1.

const limitMs = 20

interface Log {
  name: string
  fill: (store: EventStore) => Promise<void>
}

const logs: Log[] = [
  { name: '60,000 events of generations', fill: (store) => fillGenerations(store, 30_000) },
  { name: '300 changes of templates of 800 kB', fill: (store) => fillTemplates(store, 300, 800_000) },
  { name: '20,000 changes of templates of 5 kB', fill: (store) => fillTemplates(store, 20_000, 5_000) },
]

const rows: string[][] = []
for (const { name, fill } of logs) {
  await using running = await startBackingServices()
  const { services, folder } = running
  await fill(services.store)
  const turns = await turnsOfFolding(services, join(folder, 'views.db'))
  const longest = turns.at(-1) ?? 0
  const p99 = turns[Math.floor(turns.length * 0.99)] ?? 0
  rows.push([name, `${turns.length}`, p99.toFixed(1), longest.toFixed(1)])
  if (longest > limitMs) process.exitCode = 1
}
process.stdout.write(
  `${textTable(['views are built from', 'turns', 'p99 ms', 'longest ms'], rows)}\nlimit ${limitMs} ms\n`,
)

/** The processor time of each turn of the event loop, sorted. */
async function turnsOfFolding(services: BackingServices, path: string): Promise<number[]> {
  const turns: number[] = []
  let running = true
  let before = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(before)
    turns.push((user + system) / 1_000)
    before = process.threadCpuUsage()
    if (running) setImmediate(measure)
  }
  await using views = runViews({ ...services, path })
  before = process.threadCpuUsage()
  setImmediate(measure)
  await views.caughtUp
  running = false
  return turns.sort((one, other) => one - other)
}

function event(type: string, data: Json): NewEvent {
  return { id: crypto.randomUUID(), type, data }
}

async function fillGenerations(store: EventStore, count: number): Promise<void> {
  const result = {
    object_key: 'pdfs/x.pdf',
    pages: 1,
    size: 20_000,
    sha256: 'a'.repeat(64),
    duration_ms: 40,
    warnings: [],
  }
  const request = { api_key_id: 'key_1', owner_id: 'own_default' }
  for (let number = 0; number < count; number += 500) {
    const appends = Array.from({ length: 500 }, () =>
      store.append(
        `generation-${newId('pdf')}`,
        [
          event('GenerationRequested', request),
          event('GenerationCompleted', { ...result, engine: { name: 'chromium', version: '1', mode: 'static' } }),
        ],
        'none',
      ),
    )
    await Promise.all(appends)
  }
}

async function fillTemplates(store: EventStore, count: number, bytes: number): Promise<void> {
  const stream = `template-${newId('tpl')}`
  const html = '<p>{{name}}</p>'.repeat(bytes / 15)
  const created = { owner_id: 'own_default', name: 'x', slug: 'x', html, sample_data: {} }
  await store.append(stream, [event('TemplateCreated', created)], 'none')
  for (let number = 1; number < count; number++) {
    await store.append(
      stream,
      [
        event('TemplateUpdated', {
          ...created,
          html: `${html}${number}`,
          created_at: '2026-01-31T12:00:00.000Z',
          changed: ['html'],
        }),
      ],
      number - 1,
    )
  }
}
