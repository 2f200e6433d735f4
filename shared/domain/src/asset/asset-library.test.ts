import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import t from 'tap'
import type { AssetEvent } from './asset-events.ts'
import { AssetLibraries, changeAssets } from './asset-libraries.ts'
import { AssetLibrary } from './asset-library.ts'

const at = '2026-01-31T12:00:00.000Z'
const stored = (name: string, sha256: string, bytes = 10): AssetEvent => ({
  type: 'AssetStored',
  data: { name, sha256, type: 'image/png', bytes },
})
const deleted = (name: string): AssetEvent => ({ type: 'AssetDeleted', data: { name } })

function libraryOf(...events: AssetEvent[]): AssetLibrary {
  const library = new AssetLibrary()
  for (const [revision, event] of events.entries()) library.apply(event, { revision, at })
  return library
}

t.test('a name has its last content, and all contents are kept', async (t) => {
  const library = libraryOf(stored('a', '1', 10), stored('b', '2', 20), stored('a', '3', 5), deleted('b'))
  t.match(library.find('a'), { version: 2, sha256: '3', bytes: 5 })
  t.equal(library.find('b'), undefined)
  t.match([library.count, library.bytes, library.revision], [1, 5, 3])
  t.strictSame(library.names(), ['a'])
  t.strictSame(
    [...library.contents()].map(({ sha256 }) => sha256),
    ['1', '2', '3'],
  )
  t.match(library.history('b'), { current: undefined, versions: [{ version: 1, sha256: '2' }] })
})

t.test('an event changes the library once, and one that is not known only counts', async (t) => {
  const library = libraryOf(stored('a', '1'))
  library.apply(stored('a', '1'), { revision: 0, at })
  library.apply({ type: 'AssetRenamed', data: {} } as unknown as AssetEvent, { revision: 1, at })
  library.apply(deleted('nothing'), { revision: 2, at })
  t.match([library.count, library.revision, library.find('a')?.version], [1, 2, 1])
})

t.test('each call sees what others have recorded, and a conflict is decided again', async (t) => {
  const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  t.teardown(() => store.close())
  const [one, other] = [new AssetLibraries(store), new AssetLibraries(store)]
  const ownerId = 'own_default'
  const change = (libraries: AssetLibraries, event: AssetEvent) =>
    changeAssets({ store, libraries, ownerId, metadata: operatorMetadata(), decide: () => event })
  await change(one, stored('a', '1'))
  t.match((await other.of(ownerId)).find('a'), { sha256: '1' })
  await Promise.all(Array.from({ length: 150 }, (_, n) => change(n % 2 ? one : other, stored(`n${n}`, randomUUID()))))
  for (const libraries of [one, other]) t.match((await libraries.of(ownerId)).count, 151)
  t.equal((await one.of('own_00000000000000000000000000')).count, 0)
})
