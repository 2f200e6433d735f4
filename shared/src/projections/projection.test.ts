import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import type { Json } from '../contracts/json.ts'
import { type EventStore, type Position, type StoredEvent, StoreUnavailable } from '../event-store/event-store.ts'
import { openEventStore } from '../event-store/open-event-store.ts'
import { newEvent, numbered, range } from '../event-store/suite/given-store.ts'
import { type Projection, runProjection } from './projection.ts'

async function givenStore(t: Test): Promise<EventStore> {
  const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  t.teardown(() => store.close())
  return store
}

/** A view that keeps what it saw, and its checkpoint, in a real file. */
function givenView(t: Test) {
  const database = new DatabaseSync(join(t.testdirName, 'view.db'))
  database.exec('CREATE TABLE seen(data TEXT NOT NULL); CREATE TABLE checkpoint(position TEXT NOT NULL)')
  t.teardown(() => database.close())
  const insert = database.prepare('INSERT INTO seen(data) VALUES (?)')
  const save = database.prepare('INSERT INTO checkpoint(position) VALUES (?)')
  const batches: number[] = []
  return {
    batches,
    apply(events: StoredEvent[], position: Position): void {
      database.exec('BEGIN')
      for (const { data } of events) insert.run(JSON.stringify(data))
      save.run(position)
      database.exec('COMMIT')
      batches.push(events.length)
    },
    seen: (): Json[] =>
      database
        .prepare('SELECT data FROM seen ORDER BY rowid')
        .all()
        .map(({ data }) => JSON.parse(String(data))),
    checkpoint: () =>
      database.prepare('SELECT position FROM checkpoint ORDER BY rowid DESC').get()?.position as Position | undefined,
  }
}

/** A projection only subscribes. */
const refusing: Omit<EventStore, 'subscribe'> = {
  append: () => Promise.reject(new Error('a projection appends nothing')),
  readStream: () => {
    throw new Error('a projection reads no stream')
  },
  close: () => Promise.reject(new Error('a projection closes nothing')),
}

type View = ReturnType<typeof givenView>

/** Runs the projection until `isDone` holds, asked after each batch and each caughtUp. */
async function runUntil(
  isDone: () => boolean,
  { view, ...rest }: { view: View } & Partial<Projection> & Pick<Projection, 'store'>,
): Promise<void> {
  const stopping = new AbortController()
  const stopWhenDone = () => {
    if (isDone()) stopping.abort()
  }
  await runProjection({
    categories: ['note'],
    checkpoint: view.checkpoint(),
    signal: stopping.signal,
    log: { warn: () => {} },
    ...rest,
    apply: (events, position) => {
      ;(rest.apply ?? view.apply)(events, position)
      stopWhenDone()
    },
    onCaughtUp: () => {
      rest.onCaughtUp?.()
      stopWhenDone()
    },
  })
}

t.test('history goes in by batches, then what comes as it comes', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 450), 'none')
  let whenCaughtUp: Json[] = []
  await runUntil(() => view.seen().length === 451, {
    store,
    view,
    onCaughtUp: () => {
      whenCaughtUp = view.seen()
      void store.append('note-a', [newEvent(451)], 449)
    },
  })
  t.strictSame(whenCaughtUp, range(1, 450), 'the view has all of history before onCaughtUp')
  t.strictSame(view.seen(), range(1, 451))
  t.strictSame(view.batches, [200, 200, 50, 1])
})

t.test('a long history leaves the event loop to others between its batches', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 1_000), 'none')
  let turn = 0
  const counting = new AbortController()
  const count = () => {
    turn++
    if (!counting.signal.aborted) setImmediate(count)
  }
  count()
  const turns: number[] = []
  const apply: View['apply'] = (events, position) => {
    view.apply(events, position)
    turns.push(turn)
  }
  await runUntil(() => view.seen().length >= 1_000, { store, view, apply })
  counting.abort()
  // The first two may share a turn: the count stands behind the first one's end.
  t.ok(new Set(turns).size >= turns.length - 1, turns.join())
})

t.test('it goes on after its checkpoint', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 300), 'none')
  await runUntil(() => true, { store, view })
  t.equal(view.seen().length, 200, 'stopped amid history')
  await runUntil(() => view.seen().length >= 300, { store, view })
  t.strictSame(view.seen(), range(1, 300))
})

t.test('events of others only move the checkpoint', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', [newEvent(1)], 'none')
  const { position } = await store.append('other-a', numbered(1, 10), 'none')
  let isCaughtUp = false
  const onCaughtUp = () => {
    isCaughtUp = true
  }
  await runUntil(() => isCaughtUp, { store, view, onCaughtUp })
  t.strictSame(view.seen(), [1])
  t.equal(view.checkpoint(), position)
})

t.test('a store that is down is waited for, and nothing is lost or doubled', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 400), 'none')
  let connections = 0
  const flaky: EventStore = {
    ...refusing,
    async *subscribe(options) {
      const connection = ++connections
      if (connection === 1) throw new StoreUnavailable('down')
      let events = 0
      for await (const item of store.subscribe(options)) {
        if (connection === 2 && ++events === 250) throw new StoreUnavailable('down again')
        yield item
      }
    },
  }
  const warnings: unknown[] = []
  await runUntil(() => view.seen().length >= 400, {
    store: flaky,
    view,
    log: { warn: (context: unknown) => warnings.push(context) },
  })
  t.strictSame(view.seen(), range(1, 400))
  t.equal(connections, 3)
  t.match(warnings, [{ err: { message: 'down' } }, { err: { message: 'down again' } }])
})

t.test('what apply throws ends it, and moves no checkpoint', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', [newEvent(1)], 'none')
  let subscription: AbortSignal | undefined
  const subscribe: EventStore['subscribe'] = (options) => {
    subscription = options.signal
    return store.subscribe(options)
  }
  const failing = runUntil(() => false, {
    store: { ...refusing, subscribe },
    view,
    apply: () => {
      throw new TypeError('no such column')
    },
  })
  await t.rejects(failing, { name: 'TypeError', message: 'no such column' })
  t.equal(view.checkpoint(), undefined)
  t.equal(subscription?.aborted, true, 'and leaves no subscription behind')
})

t.test('a checkpoint of another store ends it', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  const checkpoint = 'sqlite:00000000:1' as Position
  await t.rejects(
    runUntil(() => false, { store, view, checkpoint }),
    { name: 'InvalidPosition' },
  )
})

t.test('it stops while it waits, and while the store is down', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await runUntil(() => true, { store, view })
  t.strictSame(view.batches, [], 'stopped at caughtUp of an empty store')

  const stopping = new AbortController()
  await store.close()
  await runProjection({
    store,
    categories: ['note'],
    checkpoint: undefined,
    apply: view.apply,
    signal: stopping.signal,
    log: { warn: () => stopping.abort() },
  })
  t.pass('stopped')
})
