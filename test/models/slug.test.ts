import type { EventStore } from '@platen/event-store/event-store.ts'
import t from 'tap'
import { causeOf, slugModel } from './slug.model.ts'
import { holds, isDeep, isFound } from './world/model-tests.ts'

t.setTimeout(3_600_000)

t.test('a command that is delivered again is answered with its own version', async (t) => {
  const before = ['create a'] as const
  const change = { before, together: ['change a', 'delete a'] as const }
  await holds(t, slugModel({ name: 'a change and a delete, and a crash', budgets: { crashes: 1 }, ...change }))
  const restore = { before: ['create a', 'change a'], together: ['edit a', 'restore a'] } as const
  await holds(t, slugModel({ name: 'a change and a restore, again', budgets: {}, ...restore, redeliveries: 1 }), 400)
  if (!isDeep) return
  await holds(t, slugModel({ name: 'a change and a delete, again', budgets: {}, ...change, redeliveries: 1 }))
})

t.test('two active templates do not share a slug', async (t) => {
  const creates = { together: ['create a', 'create b'] } as const
  const stalled = { before: ['create a'], together: ['delete a', 'restore a', 'create b'] } as const
  await holds(t, slugModel({ name: 'a delete beside a restore and a create', budgets: {}, ...stalled }), 400)
  const late = { ...creates, redeliveries: 1, jumps: [5_000] } as const
  await holds(t, slugModel({ name: 'two creates, one after its deadline', budgets: {}, ...late }), 400)
  const abandoned = { before: ['create a'], together: ['delete a', 'create b'], jumps: [61_000] } as const
  await holds(t, slugModel({ name: 'a slug that seems abandoned', budgets: {}, ...abandoned }), 400)
  if (!isDeep) return
  await holds(t, slugModel({ name: 'two creates, and a crash', budgets: { crashes: 1 }, ...creates }))
  await holds(t, slugModel({ name: 'one seems abandoned, and a crash', budgets: { crashes: 1 }, ...abandoned }))
  await holds(t, slugModel({ name: 'a delete, a restore, a create and a crash', budgets: { crashes: 1 }, ...stalled }))
})

t.test('the search finds what breaks if a guard is missing', async (t) => {
  const changed = { before: ['create a'], together: ['change a', 'delete a'], redeliveries: 1 } as const
  await isFound(t, 'a command that is delivered again is answered with the newest version', {
    model: slugModel({ name: 'mutation', budgets: {}, ...changed, wrap: answersNewest }),
    as: /is answered with/,
  })
  const two = { together: ['create a', 'create b'] } as const
  await isFound(t, 'a slug is changed without a comparison', {
    model: slugModel({ name: 'mutation', budgets: {}, ...two, wrap: withoutComparison }),
    as: /have the slug invoice|nobody holds|holds$/,
  })
  const stalled = { before: ['create a'], together: ['delete a', 'restore a', 'create b'] } as const
  await isFound(t, 'a slug is released without a comparison', {
    model: slugModel({ name: 'mutation', budgets: {}, ...stalled, wrap: releasesAnyway }),
    as: /have the slug invoice|nobody holds|holds$/,
  })
})

/** The change is answered with what has followed it. */
function answersNewest(store: EventStore): EventStore {
  const { readStream } = store
  store.readStream = async function* (...read) {
    for await (const event of readStream.apply(store, read)) {
      const isLater = event.type === 'TemplateDeleted'
      yield isLater ? { ...event, metadata: { ...event.metadata, causation_id: causeOf('change a') } } : event
    }
  }
  return store
}

function withoutComparison(store: EventStore): EventStore {
  const { append } = store
  store.append = (stream, events, expected, ...options) =>
    append.call(store, stream, events, stream.startsWith('slug-') ? 'any' : expected, ...options)
  return store
}

function releasesAnyway(store: EventStore): EventStore {
  const { append } = store
  store.append = (stream, events, expected, ...options) =>
    append.call(store, stream, events, events[0].type === 'SlugReleased' ? 'any' : expected, ...options)
  return store
}
