import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { type EventStore, type Position, StoreUnavailable } from '@platen/event-store/event-store.ts'
import { newEvent, numbered, range } from '@platen/event-store/suite/given-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import t, { type Test } from 'tap'
import { type Projection, runProjection } from './run-projection.ts'
import { openViewDatabase } from './view-database.ts'

async function givenStore(t: Test): Promise<EventStore> {
  const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  t.teardown(() => store.close())
  return store
}

/** A view that records the data of the events it was given, and the sizes of the batches. */
function givenView(t: Test) {
  const database = openViewDatabase(join(t.testdirName, 'view.db'), {
    version: 1,
    tables: 'CREATE TABLE seen(data TEXT NOT NULL)',
  })
  t.teardown(() => database[Symbol.dispose]())
  const insert = database.db.prepare('INSERT INTO seen(data) VALUES (?)')
  const batches: number[] = []
  return {
    database,
    batches,
    checkpoint: database.checkpoint,
    apply(events: readonly { data: Json }[]) {
      for (const { data } of events) insert.run(JSON.stringify(data))
    },
    seen: (): Json[] =>
      database.db
        .prepare('SELECT data FROM seen ORDER BY rowid')
        .all()
        .map(({ data }) => JSON.parse(String(data))),
  }
}

/** A projection only subscribes. */
const refusing: Omit<EventStore, 'subscribe'> = {
  append: () => Promise.reject(new Error('a projection appends nothing')),
  readLog: () => {
    throw new Error('a projection reads the log by its subscription')
  },
  identity: () => Promise.reject(new Error('a projection asks for no identity')),
  end: () => Promise.reject(new Error('a projection asks for no end')),
  before: () => Promise.reject(new Error('a projection asks for no time')),
  check: () => Promise.reject(new Error('a projection checks nothing')),
  readStream: () => {
    throw new Error('a projection reads no stream')
  },
  close: () => Promise.reject(new Error('a projection closes nothing')),
}

type View = ReturnType<typeof givenView>

/** Runs the projection until `isDone` holds, which is checked after each batch, caughtUp and fault. */
async function runUntil(
  isDone: () => boolean,
  { view, ...rest }: { view: View } & Partial<Omit<Projection, 'view'>> & Pick<Projection, 'store'>,
): Promise<void> {
  const stopping = new AbortController()
  const stopWhenDone = () => {
    if (isDone()) stopping.abort()
  }
  await runProjection({
    categories: ['note'],
    signal: stopping.signal,
    log: { warn: () => {}, error: () => {} },
    apply: view.apply,
    ...rest,
    view: view.database,
    onApplied: (events) => {
      view.batches.push(events.length)
      rest.onApplied?.(events)
      stopWhenDone()
    },
    onCaughtUp: () => {
      rest.onCaughtUp?.()
      stopWhenDone()
    },
    onFault: (err) => {
      rest.onFault?.(err)
      stopWhenDone()
    },
  })
}

t.test('history is applied in batches, later events as they are appended', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 1_100), 'none')
  let whenCaughtUp: Json[] = []
  await runUntil(() => view.seen().length === 1_101, {
    store,
    view,
    onCaughtUp: () => {
      whenCaughtUp = view.seen()
      void store.append('note-a', [newEvent(1_101)], 1_099)
    },
  })
  t.strictSame(whenCaughtUp, range(1, 1_100), 'the view has all of history before onCaughtUp')
  t.strictSame(view.seen(), range(1, 1_101))
  t.strictSame(view.batches, [500, 500, 100, 1])
})

t.test('other work runs between the batches of a long history', async (t) => {
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
  const onApplied = () => turns.push(turn)
  await runUntil(() => view.seen().length >= 1_000, { store, view, onApplied })
  counting.abort()
  // The first two may share a turn: the counter may run after the first one ended.
  t.ok(new Set(turns).size >= turns.length - 1, turns.join())
})

t.test('a restarted projection resumes after its checkpoint', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 700), 'none')
  await runUntil(() => true, { store, view })
  t.equal(view.seen().length, 500, 'stopped in the middle of history')
  await runUntil(() => view.seen().length >= 700, { store, view })
  t.strictSame(view.seen(), range(1, 700))
})

t.test('the owner of a view is told that its subscription is lost, and that it has caught up again', async (t) => {
  const cause = new StoreUnavailable('away')
  const items = [{ kind: 'caughtUp' }, { kind: 'lost', cause }, { kind: 'caughtUp' }] as const
  const store: EventStore = {
    ...refusing,
    async *subscribe() {
      yield* items
    },
  }
  const told: unknown[] = []
  await runUntil(() => told.length === items.length, {
    store,
    view: givenView(t),
    onLost: (err) => told.push(err),
    onCaughtUp: () => told.push('caught up'),
  })
  t.strictSame(told, ['caught up', cause, 'caught up'])
})

t.test('events of other categories only move the checkpoint', async (t) => {
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

t.test('an unavailable store is retried without losing or repeating events', async (t) => {
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
    log: { warn: (context: unknown) => warnings.push(context), error: () => t.fail('logged an error') },
    onFault: () => t.fail('reported a fault'),
  })
  t.strictSame(view.seen(), range(1, 400))
  t.equal(connections, 3)
  t.match(warnings, [{ err: { message: 'down' } }, { err: { message: 'down again' } }])
})

t.test('an event that cannot be applied is ignored, with no trace of it in the view', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 4), 'none')
  const ignored: unknown[] = []
  await runUntil(() => view.seen().length === 3, {
    store,
    view,
    apply(events) {
      view.apply(events)
      for (const { revision } of events) {
        if (revision === 1) throw new TypeError('no such field')
        if (revision === 2) view.database.db.exec('INSERT INTO seen VALUES (3)')
        if (revision === 3) view.database.db.exec('INSERT INTO seen VALUES (NULL)')
      }
    },
    onIgnored: ({ revision }) => ignored.push(revision),
    onFault: () => t.fail('reported a fault'),
  })
  t.strictSame(view.seen(), [1, 3, 3])
  t.strictSame(ignored, [1, 3])
})

t.test('a fault of the view’s database moves no checkpoint, and is retried on a new subscription', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 2), 'none')
  const subscriptions: AbortSignal[] = []
  const subscribe: EventStore['subscribe'] = (options) => {
    subscriptions.push(options.signal)
    return store.subscribe(options)
  }
  const faults: unknown[] = []
  await runUntil(() => view.seen().length >= 2, {
    store: { ...refusing, subscribe },
    view,
    apply(events) {
      view.apply(events)
      const isFaulty = events.some(({ revision }) => revision === 1) && faults.length < 2
      if (isFaulty) throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
    },
    onFault(err) {
      faults.push(err)
      t.strictSame(view.seen(), [], 'nothing of the batch is kept')
      t.equal(view.checkpoint(), undefined)
    },
  })
  t.match(faults, Array(2).fill({ message: 'disk I/O error' }))
  t.strictSame(view.seen(), range(1, 2))
  t.strictSame(
    subscriptions.map(({ aborted }) => aborted),
    [true, true, true],
    'no subscription is left behind',
  )
})

t.test('a fault of the database while events are applied one by one ignores none of them', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 2), 'none')
  const faults: unknown[] = []
  await runUntil(() => view.seen().length > 0, {
    store,
    view,
    apply(events) {
      view.apply(events)
      if (events.some(({ revision }) => revision === 0)) throw new TypeError('no such field')
      if (faults.length === 0) throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
    },
    onFault: (err) => faults.push(err),
  })
  t.match(faults, [{ message: 'disk I/O error' }])
  t.strictSame(view.seen(), [2])
})

t.test('a view of another store, or of one with other events, is refused with instructions', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await store.append('note-a', numbered(1, 2), 'none')
  await runUntil(() => view.seen().length === 2, { store, view })
  const known = view.checkpoint() ?? ''
  const wrong = ['sqlite:00000000:1', known.replace(/:2:/, ':9:'), known.replace(/[^:]+$/, randomUUID())]
  for (const position of wrong) {
    view.database.advance(position as Position, () => {})
    await t.rejects(
      runUntil(() => false, { store, view }),
      { message: /view\.db .*another event store.*delete the file/ },
      position,
    )
    t.strictSame(view.seen(), [1, 2], 'the view is left as it is')
  }
})

t.test('it stops while it waits for events and while the store is unavailable', async (t) => {
  const store = await givenStore(t)
  const view = givenView(t)
  await runUntil(() => true, { store, view })
  t.strictSame(view.batches, [], 'stopped at caughtUp of an empty store')

  const stopping = new AbortController()
  await store.close()
  await runProjection({
    store,
    categories: ['note'],
    view: view.database,
    apply: view.apply,
    signal: stopping.signal,
    log: { warn: () => stopping.abort(), error: () => t.fail('logged an error') },
  })
  t.pass('stopped')
})
