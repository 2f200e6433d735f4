import { join } from 'node:path'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import t from 'tap'
import { openEventStore } from './adapters/open-event-store.ts'
import type { Position } from './event-store.ts'
import { isBefore, placeInLog } from './place-in-log.ts'
import { newEvent } from './suite/given-store.ts'

t.test('later positions of each store have larger places', async (t) => {
  const fake = await startFakeEventStoreDb()
  t.teardown(() => fake[Symbol.asyncDispose]())
  for (const url of [`sqlite:${join(t.testdir(), 'events.db')}`, fake.url]) {
    const store = await openEventStore(url)
    t.teardown(() => store.close())
    const positions = []
    for (let count = 0; count < 12; count++) {
      positions.push((await store.append('note-a', [newEvent()], 'any')).position)
    }
    const places = positions.map((position) => Number(placeInLog(position)))
    t.strictSame(
      places,
      [...new Set(places)].sort((one, other) => one - other),
      url,
    )
    t.equal(Number(placeInLog((await store.end()) as Position)), places.at(-1))
  }
})

t.test('texts that are no positions are refused, and positions of two logs are not in order', (t) => {
  const isOrdered = (one: string, other: string) => isBefore(one as Position, other as Position)
  t.ok(isOrdered('sqlite:aaaaaaaa:1:x', 'sqlite:aaaaaaaa:2:x'))
  t.notOk(isOrdered('sqlite:aaaaaaaa:1:x', 'sqlite:bbbbbbbb:2:x'))
  t.throws(() => isOrdered('sqlite:aaaaaaaa', 'sqlite:aaaaaaaa:2:x'), { name: 'InvalidPosition' })
  t.throws(() => isOrdered('sqlite:aaaaaaaa:1:x', 'x'), { name: 'InvalidPosition' })
  t.end()
})
