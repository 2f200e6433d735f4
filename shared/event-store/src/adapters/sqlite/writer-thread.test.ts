import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { OutcomeUnknown } from '../../event-store.ts'
import { openEventDatabase } from './schema.ts'
import type { Append } from './stream-writer.ts'
import { SqliteWriterThread } from './writer-thread.ts'

const append: Append = {
  stream: 'note-a',
  events: [{ id: 'e1', type: 'Noted', data: '{}', metadata: '{}' }],
  expected: 'none',
}

t.test('a writer that dies leaves its appends unknown, and the next append starts another', async (t) => {
  const path = join(t.testdir({}), 'later', 'events.db')
  let committed = 0
  const writer = new SqliteWriterThread({ path, token: 'token' }, () => committed++)
  t.teardown(() => writer.close())
  await t.rejects(writer.append(append, 1_000), OutcomeUnknown)
  mkdirSync(dirname(path))
  openEventDatabase(path).database.close()
  t.match(await writer.append(append, 1_000), { revision: 0 })
  t.equal(committed, 1)
})
