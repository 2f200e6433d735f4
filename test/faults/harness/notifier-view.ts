import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { history } from '@platen/event-store/history.ts'
import { openDueView } from '../../../services/notifier/src/schedule/due-view.ts'
import type { View } from './evidence.ts'
import type { System } from './system.ts'

const tables = { deliveries: 'due deliveries', history: 'deliveries', endpoints: 'webhook URLs' } as const

/** What the notifiers keep of deliveries and webhook URLs, and the same built from the start of the log. */
export async function readNotifierViews({ targets, stores }: System): Promise<View[]> {
  const views: View[] = []
  for (const { name, dataDir } of targets) {
    const path = join(dataDir, 'notifier', 'deliveries.db')
    if (existsSync(path)) views.push({ gateway: name, fresh: false, rows: rowsOf(path) })
  }
  const folder = await mkdtemp(join(tmpdir(), 'platen-notifier-view-'))
  try {
    const path = join(folder, 'deliveries.db')
    {
      using view = openDueView(path)
      const { store } = await stores()
      for await (const event of history(store, { categories: ['delivery', 'endpoint'] })) view.apply(event)
    }
    return [...views, { gateway: 'notifier (rebuilt)', fresh: true, rows: rowsOf(path) }]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowsOf(path: string): View['rows'] {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return Object.fromEntries(
      Object.entries(tables).map(([table, kind]) => [
        kind,
        Object.fromEntries(
          db
            .prepare(`SELECT * FROM ${table}`)
            .all()
            .map((row) => [String(row.id), JSON.stringify(row)]),
        ),
      ]),
    )
  } finally {
    db.close()
  }
}
