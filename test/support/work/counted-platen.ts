import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Platen, startPlaten } from '../platen.ts'
import { type Counts, count, difference } from './counts.ts'
import { watchMessages } from './nats-messages.ts'
import { commandsFile } from './run-counted.ts'
import { watchSystemCalls } from './system-calls.ts'

/** What a Platen did. It does not depend on the speed of the machine, except where work is grouped by time. */
export interface Work {
  /** On NATS, by kind. */
  messages: Counts
  /** Bytes of these messages, by kind. */
  bytes: Counts
  /** Events that were appended, by type. */
  events: Counts
  /** Transactions of events. One has several events if the first ones could wait for the last one. */
  appends: number
  /** Commands to the browsers, by method. */
  commands: Counts
  /** Flushes and created files of Node.js and nats-server. Empty where they cannot be counted. */
  calls: Counts
}

export interface CountedPlaten extends AsyncDisposable {
  platen: Platen
  /** Why system calls are not counted, if so. */
  uncounted: string | undefined
  /** Does something, and counts what it causes until `isDone` says that this was all, or no event has come for a while. */
  count(act: () => Promise<void>, isDone?: (work: Work) => boolean): Promise<Work>
}

const pollMs = 50
const quietMs = 5_000

/** `npm start`, with its own nats-server, SQLite and a folder. */
export async function startCounted(settings: Record<string, string> = {}): Promise<CountedPlaten> {
  await using resources = new AsyncDisposableStack()
  const platen = resources.use(await startPlaten(settings, join(import.meta.dirname, 'run-counted.ts')))
  const messages = resources.use(await watchMessages(platen))
  const natsServer = (await platen.children()).find(({ command }) => /nats-server/.test(command))
  const calls = await watchSystemCalls({ node: platen.pid(), nats: natsServer?.pid ?? 0 })
  const uncounted = typeof calls === 'string' ? calls : undefined
  if (typeof calls !== 'string') resources.use(calls)
  const log = resources.adopt(
    new DatabaseSync(join(platen.dataDir, 'events.db'), { readOnly: true, timeout: 5_000 }),
    (database) => database.close(),
  )
  const appended = log.prepare('SELECT type, count(*) AS number FROM events GROUP BY type')
  // The events of one append have the same time.
  const transactions = log.prepare("SELECT count(DISTINCT stream || ' ' || created) AS number FROM events")
  const look = async (): Promise<Work> => ({
    messages: await messages.read(),
    bytes: await messages.bytes(),
    events: Object.fromEntries(appended.all().map(({ type, number }) => [String(type), Number(number)])),
    appends: Number(transactions.get()?.number),
    commands: count((await readFile(join(platen.dataDir, commandsFile), 'utf8')).trim().split('\n')),
    calls: typeof calls === 'string' ? {} : await calls.read(),
  })
  const disposable = resources.move()
  return {
    platen,
    uncounted,
    async count(act, isDone = () => false) {
      const before = await look()
      await act()
      let work: Work = workBetween(before, await look())
      for (let changedAt = Date.now(); !isDone(work) && Date.now() - changedAt < quietMs; ) {
        await new Promise((resolve) => setTimeout(resolve, pollMs))
        const now = workBetween(before, await look())
        if (JSON.stringify(now.events) !== JSON.stringify(work.events)) changedAt = Date.now()
        work = now
      }
      return work
    },
    [Symbol.asyncDispose]: () => disposable.disposeAsync(),
  }
}

function workBetween(before: Work, after: Work): Work {
  return {
    messages: difference(before.messages, after.messages),
    bytes: difference(before.bytes, after.bytes),
    events: difference(before.events, after.events),
    appends: after.appends - before.appends,
    commands: difference(before.commands, after.commands),
    calls: difference(before.calls, after.calls),
  }
}
