import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

t.test(
  'the steps are those of the configured engines, the event store before the objects, without secrets',
  async (t) => {
    const env = {
      EVENT_STORE_URL: 'esdb://admin:hidden@db:2113',
      OBJECT_STORE_URL: 's3://me:hidden@minio:9000/documents?tls=false',
    }
    const { code, stdout } = await runCli(env, ['backup', 'engines'])
    t.equal(code, 0)
    t.notMatch(stdout, 'hidden')
    t.ok(stdout.indexOf('*.chk') < stdout.indexOf('mc mirror --overwrite ALIAS/documents'))
    for (const text of ['chaser.chk', 'platen deployment adopt --yes', 'mc mb ALIAS/documents', 'platen streams setup'])
      t.match(stdout, text)
    const lines = jsonLines(await runCli(env, ['backup', 'engines', '--json']))
    t.strictSame(
      new Set(lines.map(({ when }) => when)),
      new Set(['backup', 'event store lost', 'object store lost', 'NATS lost']),
    )
    const own = await runCli({ DATA_DIR: t.testdir() }, ['backup', 'engines'])
    t.match(own.stdout, 'platen backup BACKUP')
    t.notMatch(own.stdout, 'mc mirror')
  },
)

t.test('--done records the time of a backup that other tools have made', async (t) => {
  const dataDir = t.testdir()
  await mkdir(join(dataDir, 'objects'))
  const before = Date.now()
  t.match(await runCli({ DATA_DIR: dataDir }, ['backup', 'engines', '--done']), { code: 0, stdout: 'recorded' })
  const last = JSON.parse(await readFile(join(dataDir, 'objects/platen/last-backup'), 'utf8'))
  t.equal(last.where, 'backups of the engines')
  t.ok(Date.parse(last.at) >= before)
})
