import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { readApplied } from '@platen/gateway/views/applied-events.ts'
import { openViews, viewCategories } from '@platen/gateway/views/open-views.ts'
import { buildingPath, nextPath, readyPath, removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'
import { defineCommand } from '../../frame/command.ts'
import { dryRun, duration, longestWaitDays } from '../../frame/options.ts'
import { buildViews, requireViewPath } from './build-views.ts'

const lookEveryMs = 100

export const rebuildViews = defineCommand({
  name: 'views rebuild',
  summary: "rebuild a gateway's views from the log, and replace those in use once the new ones have caught up",
  options: {
    wait: {
      ...duration('how long to wait for a running gateway to take the new views', longestWaitDays),
      default: '60s',
    },
    ...dryRun,
  },
  notes: ['Run it on the machine of the gateway, with its DATA_DIR. Requests are answered meanwhile.'],
  async run({ openStore, env, print, progress, signal }, { wait, json, 'dry-run': isDryRun }) {
    const path = requireViewPath(env)
    const store = await openStore()
    if (isDryRun) {
      const events = await countEvents(store, signal)
      const would = { path, events, exists: existsSync(path), dry_run: true }
      const text = `${events} events would be read, and ${path} ${would.exists ? 'replaced' : 'made'}`
      return print(json ? JSON.stringify(would) : text)
    }
    using _lock = lockRebuild(path)
    const building = buildingPath(path)
    removeDatabase(building)
    let events = 0
    let repairedAt: Date
    {
      using bar = progress('rebuilding the views')
      using views = openViews(building)
      events = await buildViews({ store, views, onProgress: (count) => bar.at(count), signal })
      // Those of the gateway may have had wrong rows, which its snapshots have, too.
      repairedAt = new Date()
      views.purged(repairedAt)
    }
    removeDatabase(readyPath(path))
    renameSync(building, readyPath(path))
    const state = await taken(path, { repairedAt, waitMs: wait, signal })
    if (json) print(JSON.stringify({ path, events, state }))
    else print(`${events} events; ${explanations[state]}`)
    return state === 'refused' ? 1 : 0
  },
})

/** Two at once would replace each other's files. Throws an error that names the other one. */
function lockRebuild(path: string): Disposable {
  try {
    return lockFile(`${buildingPath(path)}.lock`, 'exclusive')
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
    throw new Error(`${path} is being rebuilt by ${err.holder}; wait for it, or stop it`, { cause: err })
  }
}

async function countEvents(store: EventStore, signal: AbortSignal): Promise<number> {
  let events = 0
  for await (const _ of store.readLog({ after: 'start', categories: [...viewCategories], signal })) events += 1
  signal.throwIfAborted()
  return events
}

type Taken = 'in_use' | 'at_next_start' | 'refused'

const explanations: Record<Taken, string> = {
  in_use: 'the new views are in use',
  at_next_start: 'no gateway has taken the new views; the next start does',
  refused: 'the gateway has not taken the new views; its log says why',
}

interface Waiting {
  repairedAt: Date
  waitMs: number
  signal: AbortSignal
}

/** The gateway renames the file when it has found it, and again when the views are in use. It removes it when it cannot use it. */
async function taken(path: string, { repairedAt, waitMs, signal }: Waiting): Promise<Taken> {
  const deadline = performance.now() + waitMs
  while (existsSync(readyPath(path)) || existsSync(nextPath(path))) {
    if (performance.now() > deadline || signal.aborted) {
      return existsSync(readyPath(path)) ? 'at_next_start' : 'refused'
    }
    await sleep(lookEveryMs, signal)
  }
  return areRepaired(path, repairedAt) ? 'in_use' : 'refused'
}

/** False if the views are those from before: a gateway that was stopped before the new ones had caught up has removed these. */
function areRepaired(path: string, at: Date): boolean {
  if (!existsSync(path)) return false
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return readApplied(db).purgedAt >= at.toISOString()
  } finally {
    db.close()
  }
}
