import { randomUUID } from 'node:crypto'
import { partialId, partialStream } from '@platen/domain/partial/read-partial.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.test('partials are listed, and their versions with time and request', async (t) => {
  const dataDir = t.testdir({})
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const owner_id = 'own_default'
  const event = (type: string, data: object) => ({
    id: randomUUID(),
    type,
    data: { ...data },
    metadata: { time: '2026-01-31T12:00:00.000Z', correlation_id: 'req_1' },
  })
  const append = (name: string, ...types: string[]) => {
    const [first, ...rest] = types.map((type) => event(type, { owner_id, name, html: `<p>${type}` }))
    return first && store.append(partialStream(partialId(owner_id, name)), [first, ...rest], 'none')
  }
  await append('letterhead', 'PartialCreated', 'PartialUpdated')
  await append('address', 'PartialCreated')
  await append('gone', 'PartialCreated', 'PartialDeleted')
  const run = (...args: string[]) => runCli({ DATA_DIR: dataDir, EVENT_STORE_URL: `sqlite:${dataDir}/events.db` }, args)
  t.match(jsonLines(await run('partials', 'list', '--json')), [
    { id: partialId(owner_id, 'address'), name: 'address', version: 1, owner_id, bytes: 17 },
    { name: 'letterhead', version: 2 },
  ])
  t.match((await run('partials', 'list')).stdout, /letterhead +version 2 +own_default/)
  for (const idOrName of ['gone', partialId(owner_id, 'gone')]) {
    t.match(jsonLines(await run('partials', 'history', idOrName, '--json')), [
      { version: 1, type: 'PartialCreated', at: '2026-01-31T12:00:00.000Z', request_id: 'req_1' },
      { version: 2, type: 'PartialDeleted' },
    ])
  }
  t.match(await run('partials', 'history', 'none'), { code: 1, stderr: /there is no partial none; see partials list/ })
})
