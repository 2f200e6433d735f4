import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { runCli } from '../../cli/src/testing/run-cli.ts'
import { launchPlaten, startPlaten, testApiKey } from '../support/platen.ts'

t.setTimeout(600_000)

/** Data folders that earlier states of the source have written, one for each day. */
const states = fileURLToPath(new URL('older-data', import.meta.url))

async function dataFolderOf(t: Test, day: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  await cp(join(states, day), dataDir, { recursive: true })
  const database = new DatabaseSync(join(dataDir, 'events.db'))
  database.exec(await readFile(join(dataDir, 'events.sql'), 'utf8'))
  database.close()
  await rm(join(dataDir, 'events.sql'))
  return dataDir
}

/** The format, which a program of another one refuses. */
function formatOf(dataDir: string) {
  const database = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true })
  const { user_version } = database.prepare('PRAGMA user_version').get() ?? {}
  database.close()
  return user_version
}

t.test(
  'the oldest data that can be read: everything is there, and that state refuses the folder from then on',
  async (t) => {
    const dataDir = await dataFolderOf(t, '2026-11-23')
    await using platen = await startPlaten({ DATA_DIR: dataDir })
    t.notMatch(platen.output(), 'cannot be read')
    t.match((await platen.json('/v1/templates/label')).body, { html: '<h2>{{n}}</h2>', version: 2 })
    const { data } = (await platen.json<{ data: { id: string; url: string }[] }>('/v1/generations')).body
    t.match(data, [{ status: 'completed', metadata: { order: '7' }, template: { version: 2 } }])
    const { url = '' } = (await platen.json<{ url: string }>(`/v1/generations/${data[0]?.id}`)).body
    const file = Buffer.from(await (await fetch(url)).arrayBuffer())
    t.equal(
      createHash('sha256').update(file).digest('hex'),
      '6eece5ab2cbbeb7e9ee1561c892be72af32b576c55890e882b0f0c33feff6a0e',
      'the file is that of the event',
    )
    t.equal((await platen.request('/v1/generate', { body: { template: 'label', data: { n: 8 } } })).status, 200)
    t.equal(formatOf(dataDir), 2)
    t.match(await runCli({ DATA_DIR: dataDir }, ['views', 'check']), { code: 0 })
  },
)

t.test(
  'older data are refused by name, by a start and by the command line, and nothing in the folder is changed',
  async (t) => {
    const dataDir = await dataFolderOf(t, '2026-11-22')
    const before = await readFile(join(dataDir, 'events.db'))
    const refused = /events\.db was written by an earlier state of Platen's source: SlugReserved.*Nothing was changed/
    await t.rejects(launchPlaten({ DATA_DIR: dataDir, PORT: '0', API_KEY: testApiKey }), {
      exitCode: 1,
      message: refused,
    })
    t.match(await runCli({ DATA_DIR: dataDir }, ['keys', 'list']), { code: 1, stderr: refused })
    t.ok(before.equals(await readFile(join(dataDir, 'events.db'))))
    t.notOk((await readdir(dataDir)).includes('nats'), 'nats-server was not started')
  },
)

t.test('data of a newer version are refused by name', async (t) => {
  const dataDir = await dataFolderOf(t, '2026-11-23')
  const database = new DatabaseSync(join(dataDir, 'events.db'))
  database.exec('PRAGMA user_version = 4')
  database.close()
  const message = /schema version 4, this program needs 2 or 3: a newer Platen has written it/
  await t.rejects(launchPlaten({ DATA_DIR: dataDir, PORT: '0', API_KEY: testApiKey }), { exitCode: 1, message })
  t.equal(formatOf(dataDir), 4)
})
