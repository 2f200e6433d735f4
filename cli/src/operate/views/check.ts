import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { redactAll } from '@platen/domain/events/redact.ts'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { openViews, viewCategories } from '@platen/gateway/views/open-views.ts'
import { isDamage } from '@platen/service-kit/projections/damaged-view.ts'
import { defineCommand, exitFound } from '../../frame/command.ts'
import { buildViews, requireViewPath } from './build-views.ts'
import { compareTables, type Difference } from './compare-tables.ts'

export const checkViews = defineCommand({
  name: 'views check',
  summary: "compare a gateway's views with the log, and print the differences",
  notes: [
    'Run it on the machine of the gateway, with its DATA_DIR. It may be running.',
    'A file with damaged pages, or without its tables, is not compared: the damage is printed.',
    'Exits with 1 if there are differences; `views rebuild` repairs them.',
  ],
  async run({ openStore, env, print, note, progress, signal }, { json }) {
    const path = requireViewPath(env)
    if (!existsSync(path))
      throw new Error(`there is no file ${path}; the next start of the gateway, or views rebuild, makes it`)
    const store = await openStore()
    const damage = damageOf(path)
    for (const line of damage) print(json ? JSON.stringify({ damage: line }) : `the file is damaged: ${line}`)
    if (damage.length > 0) {
      note(`${path} cannot be compared; views rebuild replaces it`)
      return exitFound
    }
    const folder = await mkdtemp(join(tmpdir(), 'platen-views-check-'))
    const running = new DatabaseSync(path, { readOnly: true })
    try {
      // Reads one state of the file, whatever the gateway writes.
      running.exec('BEGIN')
      const position = running.prepare('SELECT position FROM checkpoint').get()?.position as Position | undefined
      using bar = progress('building views to compare')
      const build = async (name: string, after: string | undefined) => {
        const views = openViews(join(folder, name))
        const includes = ({ id }: { id: string }) => id !== after
        const events = await buildViews({ store, views, includes, onProgress: (count) => bar.at(count), signal })
        return { views, events }
      }
      const nextOf = () => firstAfter(store, position ?? 'start')
      const next = await nextOf()
      let built = await build('views.db', next)
      const nextNow = await nextOf()
      if (nextNow !== next) {
        // Recorded while the views were built.
        built.views[Symbol.dispose]()
        built = await build('again.db', nextNow)
      }
      const { events } = built
      using views = built.views
      // Generations that the gateway has removed from its view because of their age.
      const through = running.prepare('SELECT through FROM aged').get()?.through
      if (through !== undefined) views.generations.removeAged(`${through}~`, Number.MAX_SAFE_INTEGER)
      let differences = 0
      for (const difference of compareTables({ running, rebuilt: views.database.db })) {
        differences += 1
        const shown = redacted(difference)
        const { table, key, in_view, in_log } = shown
        if (json) print(JSON.stringify(shown))
        else print(`${table} ${key}: the view has ${text(in_view)}, the log gives ${text(in_log)}`)
      }
      if (differences > 0) return exitFound
      print(json ? JSON.stringify({ differences: 0, events }) : `no differences after ${events} events`)
    } finally {
      running.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
})

/**
 * Damage that SQLite finds in a file of views, apart from wrong rows: damaged pages, indexes that lack rows, missing
 * tables.
 */
function damageOf(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const found = db
      .prepare('PRAGMA integrity_check(20)')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
      .filter((line) => line !== 'ok')
    const table = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'checkpoint'").get()
    return found.length > 0 || table ? found : ['it has no tables']
  } catch (err) {
    if (err instanceof Error && isDamage(err)) return [err.message]
    throw err
  } finally {
    db.close()
  }
}

/** The event at which the view has stopped. Later ones are not in the view yet. */
async function firstAfter(store: EventStore, after: Position | 'start'): Promise<string | undefined> {
  for await (const { id } of store.readLog({ after, categories: [...viewCategories] })) return id
  return undefined
}

/** Without the tokens of webhooks. Columns with JSON are shown as text. */
function redacted({ table, key, in_view, in_log }: Difference): Difference {
  return { table, key, in_view: redactedRow(in_view), in_log: redactedRow(in_log) }
}

const redactedRow = (row: Difference['in_view']) =>
  row && Object.fromEntries(Object.entries(row).map(([name, value]) => [name, redactedColumn(value)]))

function redactedColumn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return redactAll(value)
  try {
    return stringifyExact(redactAll(parseExact(value)))
  } catch {
    return redactAll(value)
  }
}

const text = (row: unknown) => (row === undefined ? 'nothing' : JSON.stringify(row))
