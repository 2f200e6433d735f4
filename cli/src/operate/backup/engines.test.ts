import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'
import type { EngineStep } from './engine-steps.ts'

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
    t.ok(stdout.indexOf('*.chk') < stdout.indexOf('mc mirror --overwrite platen-backup/documents'))
    for (const text of [
      'chaser.chk',
      'platen deployment claim --yes',
      'mc mb --ignore-existing',
      'platen streams setup',
    ])
      t.match(stdout, text)
    t.match(
      stdout,
      `printf '%s\\n' "$OBJECT_STORE_ACCESS_KEY" "$OBJECT_STORE_SECRET_KEY" | mc alias set platen-backup http://minio:9000\n`,
    )
    const lines = jsonLines(await runCli(env, ['backup', 'engines', '--json']))
    t.strictSame(
      new Set(lines.map(({ when }) => when)),
      new Set(['first', 'backup', 'event store lost', 'object store lost', 'NATS lost']),
    )
    const own = await runCli({ DATA_DIR: t.testdir() }, ['backup', 'engines'])
    t.match(own.stdout, /platen backup "\$\{BACKUP:\?\}"/)
    t.notMatch(own.stdout, 'mc mirror')
  },
)

t.test('a shell reads paths with spaces, quotes and other characters as they are', async (t) => {
  const folder = `${t.testdir({})}/it's a $HOME`
  const names = ['cd', 'cp', 'find', 'install', 'mc', 'mkdir', 'mv', 'platen', 'rm', 'rsync', 'sqlite3', 'sync']
  const printing = names.map((name) => `${name}() { printf '%s\\n' "$@"; }`).join('\n')
  const found: string[] = []
  for (const env of [
    { EVENT_STORE_URL: 'esdb://db:2113', OBJECT_STORE_URL: `file:${folder}/objects` },
    { EVENT_STORE_URL: `sqlite:${folder}/events.db`, OBJECT_STORE_URL: 's3://minio:9000/documents' },
  ]) {
    const steps = jsonLines(await runCli(env, ['backup', 'engines', '--json']))
    const commands = steps.flatMap(({ when, command }) => (when === 'first' ? [] : (command ?? [])))
    const script = `${printing}\nBACKUP=/b NODE=/n DATA_DIR=/d\n${commands.join('\n')}`
    found.push(...execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n'))
  }
  for (const path of [
    `${folder}/objects/`,
    `${folder}/events.db`,
    `${folder}/events.db-wal`,
    `${folder}/events.db-shm`,
  ])
    t.ok(found.includes(path), path)
})

const programs = ['sqlite3', 'rsync', 'sync', 'install']
const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

/** Runs printed lines in a shell, as they stand. */
function runLines(lines: readonly EngineStep[], when: string[], variables: Record<string, string>) {
  const commands = lines.filter((line) => when.includes(line.when)).flatMap(({ command }) => command ?? [])
  // Skips commands of other programs, and lines with paths that an operator replaces.
  const own = commands.filter((command) => !/^(platen|mc|BACKUP=|NODE=)/.test(command))
  const settings = Object.entries(variables).map(([name, value]) => `${name}='${value}'`)
  return spawnSync('sh', ['-euc', [...settings, ...own].join('\n')], { encoding: 'utf8' })
}

t.test(
  'the lines are run by a shell as they stand, also if paths have spaces and quotes',
  {
    skip: missing.length > 0 && `${missing.join(', ')} is missing`,
  },
  async (t) => {
    const folder = join(t.testdir(), "it's a $HOME")
    const path = join(folder, 'events.db')
    const store = await openEventStore(`sqlite:${path}`)
    const append = (n: number) => store.append(`template-${n}`, [{ id: randomUUID(), type: 'T', data: { n } }], 'none')
    await append(1)
    const variables = { BACKUP: join(t.testdirName, 'my copies'), DATA_DIR: join(t.testdirName, 'my data') }
    await mkdir(join(variables.DATA_DIR, 'gateway'), { recursive: true })
    const ofSqlite = jsonLines(
      await runCli({ EVENT_STORE_URL: `sqlite:${path}`, OBJECT_STORE_URL: 's3://minio:9000/a?tls=false' }, [
        'backup',
        'engines',
        '--json',
      ]),
    )
    for (const copies of [1, 2])
      t.match(runLines(ofSqlite, ['backup'], variables), { status: 0, stderr: '' }, `copy ${copies}`)
    await append(2)
    await store.close()
    t.match(runLines(ofSqlite, ['event store lost'], variables), { status: 0, stderr: '' })
    const restored = await openEventStore(`sqlite:${path}`)
    await t.resolves(
      restored.append('template-2', [{ id: randomUUID(), type: 'T', data: {} }], 'none'),
      'the second is not there',
    )
    await t.rejects(restored.append('template-1', [{ id: randomUUID(), type: 'T', data: {} }], 'none'), 'the first is')
    await restored.close()
    t.same(await readdir(variables.DATA_DIR), [], 'the views are deleted')
    t.match(runLines(ofSqlite, ['event store lost'], {}), { status: 2 }, 'nothing is removed if a variable is not set')

    const node = join(t.testdirName, 'a node')
    await mkdir(join(node, 'index'), { recursive: true })
    const files = { 'chaser.chk': 'c', 'writer.chk': 'w', 'chunk-0': '0', 'index/indexmap': 'i' }
    for (const [name, content] of Object.entries(files)) await writeFile(join(node, name), content)
    await mkdir(join(folder, 'objects/pdfs'), { recursive: true })
    await writeFile(join(folder, 'objects/pdfs/a.pdf'), 'a')
    const ofNode = jsonLines(
      await runCli({ EVENT_STORE_URL: 'esdb://db:2113', OBJECT_STORE_URL: `file:${folder}/objects` }, [
        'backup',
        'engines',
        '--json',
      ]),
    )
    const all = { ...variables, NODE: node }
    t.match(runLines(ofNode, ['backup'], all), { status: 0, stderr: '' })
    await rm(node, { recursive: true })
    await rm(join(folder, 'objects'), { recursive: true })
    t.match(runLines(ofNode, ['event store lost', 'object store lost'], all), { status: 0, stderr: '' })
    for (const [name, content] of Object.entries(files)) t.equal(await readFile(join(node, name), 'utf8'), content)
    t.equal(await readFile(join(node, 'truncate.chk'), 'utf8'), 'c')
    t.equal(await readFile(join(folder, 'objects/pdfs/a.pdf'), 'utf8'), 'a')
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
