import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultRetention } from '@platen/domain/generation/object-retention.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { takeStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import t from 'tap'
import { showProgress } from '../../frame/progress.ts'
import { FolderPlace } from './folder-place.ts'
import { makeBackup } from './make-backup.ts'

t.test('no restore replaces the store while a backup copies the files', async (t) => {
  const folder = t.testdir({})
  const [eventsPath, objectsPath] = [join(folder, 'events.db'), join(folder, 'objects')]
  await (await openEventStore(`sqlite:${eventsPath}`)).close()
  await mkdir(join(objectsPath, 'pdfs'), { recursive: true })
  await writeFile(join(objectsPath, 'pdfs/a.pdf'), 'first')
  const place = new (class extends FolderPlace {
    override async add(source: string, lane: number) {
      t.throws(() => takeStore(eventsPath), /has the event store .* open/)
      return super.add(source, lane)
    }
  })(join(folder, 'backup'))
  await place.create()
  const quiet = {
    note: t.comment,
    progress: (label: string) => showProgress(label, { isTTY: false, write: () => {} }),
    signal: new AbortController().signal,
  }
  const data = { dataDir: folder, eventsPath, objectsPath }
  t.match(await makeBackup(place, { data, retention: defaultRetention, ...quiet }), { objects: 1 })
  takeStore(eventsPath)[Symbol.dispose]()
})
