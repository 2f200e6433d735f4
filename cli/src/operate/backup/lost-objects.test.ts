import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generationEvents } from '@platen/domain/generation/generation-events.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { ageEvents } from '@platen/test-support/age-events.ts'
import t, { type Test } from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const [requestedData, completedData] = [generationEvents.GenerationRequested, generationEvents.GenerationCompleted].map(
  ({ example }) => Object(example.data),
)
const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })

/** Three documents, and a good backup of them. */
async function backedUp(t: Test) {
  const folder = t.testdir({ data: { objects: { pdfs: {} }, 'signing-secret': 's1' } })
  const [dataDir, target] = [join(folder, 'data'), join(folder, 'backup')]
  const objects = join(dataDir, 'objects')
  const store = await openEventStore(`sqlite:${dataDir}/events.db`)
  t.teardown(() => store.close())
  const keys: string[] = []
  const ids: string[] = []
  for (const text of ['first', 'second', 'third']) {
    const id = newId('pdf')
    const object_key = objectKeys.pdf(id, sha256(text).slice(0, 16))
    await writeFile(join(objects, object_key), text)
    const requested = event('GenerationRequested', requestedData)
    const file = {
      ...completedData,
      object_key,
      size: text.length,
      sha256: sha256(text),
      pages: 1,
    }
    await store.append(`generation-${id}`, [requested, event('GenerationCompleted', file)], 'none')
    keys.push(object_key)
    ids.push(id)
  }
  const platen = (args: string[], env = {}) => runCli({ DATA_DIR: dataDir, ...env }, args)
  t.match(await platen(['backup', target]), { code: 0 })
  await rm(join(objects, 'platen'), { recursive: true })
  return { folder, dataDir, objects, target, store, platen, keys, ids }
}

t.test('a backup after the files were lost keeps those of the backup before, fails, and is not recorded', async (t) => {
  const { folder, objects, target, platen, keys, store } = await backedUp(t)
  const lost = join(folder, 'lost')
  await rename(objects, lost)
  const losses: [string, () => Promise<unknown>][] = [
    ['nothing is mounted', () => mkdir(objects)],
    ['the folder is gone', () => rm(objects, { recursive: true })],
    ['a link leads nowhere', () => mkdir(objects).then(() => symlink('/nowhere/pdfs', join(objects, 'pdfs')))],
  ]
  for (const [how, lose] of losses) {
    await lose()
    await store.append(`template-${randomUUID()}`, [event('TemplateDeleted', {})], 'none')
    t.match(
      await platen(['backup', target, '--dry-run']),
      { code: 1, stderr: '3 files that events name are gone' },
      how,
    )
    const again = await platen(['backup', target])
    t.match(again, { code: 1, stderr: `3 files that events name are gone from ${objects}` }, how)
    t.same(await readdir(objects).catch(() => []), how.includes('link') ? ['pdfs'] : [], 'its time is not recorded')
    t.match(await platen(['backup', 'verify', target]), { code: 0, stdout: 'It is whole' }, how)
  }
  const [summary] = jsonLines(await platen(['backup', target, '--json']))
  t.match(summary, { events: 9, objects: 3, copied: 0, lost: 3 }, 'what was recorded since is in it')
  await rm(objects, { recursive: true })
  await rename(lost, objects)
  await rm(join(objects, keys[0] ?? ''))
  t.match(jsonLines(await platen(['backup', target, '--json']))[0], { objects: 3, lost: 1 })
  await store.close()
  t.match(await platen(['restore', target]), { code: 0 })
  t.equal((await readdir(join(objects, 'pdfs'))).length, 3)
  t.match(await platen(['backup', target]), { code: 0 })
})

t.test('a backup goes on without files that were erased, or are older than their retention', async (t) => {
  const { objects, target, platen, keys, ids, store } = await backedUp(t)
  const [first = '', second = ''] = keys
  const by = { erased_by: 'root', erased_at: '2026-01-31T12:00:00.000Z', objects: 1, dead_letters: 0 }
  await store.append(`generation-${ids[0]}`, [event('ContentErased', by)], 'any')
  const [content, input] = [sha256('first'), objectKeys.keptInput(ids[0] ?? '', '0123456789abcdef', 7)]
  await mkdir(join(objects, 'inputs'))
  await writeFile(join(objects, input), 'of a gateway that was suspended')
  t.ok(existsSync(join(target, 'files', content.slice(0, 2), content)))
  // The file is back, as on a disk that lost power.
  for (const dry of [['--dry-run'], []])
    t.match(jsonLines(await platen(['backup', target, '--json', ...dry]))[0], { objects: 2, lost: 0 })
  t.notOk(existsSync(join(target, 'files', content.slice(0, 2), content)), 'the backup before had it')
  await rm(join(objects, first))
  // A restored file keeps its time.
  const old = new Date(Date.now() - 40 * 86_400_000)
  await utimes(join(objects, second), old, old)
  t.match(jsonLines(await platen(['backup', target, '--json']))[0], { objects: 2, lost: 0 })
  await rm(join(objects, second))
  t.match(await platen(['backup', target]), { code: 1 })
  const retention = { PDF_RETENTION_DAYS: '30' }
  const [summary] = jsonLines(await platen(['backup', target, '--json'], retention))
  t.match(summary, { objects: 1, lost: 0 })
})

t.test('files of generations whose events were removed from the log are found missing, too', async (t) => {
  const { folder, dataDir, objects, target, platen, keys, ids, store } = await backedUp(t)
  const [first = '', second = '', third = ''] = keys
  const remove = async () => {
    ageEvents(join(dataDir, 'events.db'), 100 * 86_400_000)
    t.match(await platen(['archive']), { code: 0 })
    const ran = await platen(['archive', 'remove', '--older-than', '90d', '--json'])
    if (ran.code !== 0) throw new Error(ran.stderr)
    return jsonLines(ran)[0]
  }
  t.match(await remove(), { streams: 3 })
  t.match(await platen(['backup', target]), { code: 0 })
  t.match(await platen(['backup', 'verify', target]), { code: 0, stdout: 'It is whole' })

  await rename(objects, join(folder, 'unmounted'))
  await mkdir(objects)
  t.match(await platen(['backup', target, '--dry-run']), { code: 1, stderr: '5 files that events name are gone' })
  t.match(
    await platen(['backup', target]),
    { code: 1, stderr: '5 files that events name are gone' },
    'and 2 of the archive',
  )
  await rm(objects, { recursive: true })
  await rename(join(folder, 'unmounted'), objects)
  await rm(join(objects, first))
  t.match(await platen(['backup', target]), { code: 1, stderr: `1 files that events name are gone from ${objects}` })
  t.match(await platen(['backup', 'verify', target]), { code: 0, stdout: 'It is whole' })

  const by = { erased_by: 'root', erased_at: '2026-01-31T12:00:00.000Z', objects: 1, dead_letters: 0 }
  await store.append(`generation-${ids[1]}`, [event('ContentErased', by)], 'any')
  t.match(await remove(), { streams: 1 }, 'the erasure is in the archive only')
  await rm(join(objects, second))
  t.match(jsonLines(await platen(['backup', target, '--json']))[0], { lost: 1 })

  const other = join(folder, 'other')
  t.match(await platen(['backup', other]), { code: 0 })
  const verified = jsonLines(await platen(['backup', 'verify', other, '--json']))
  const findings = verified.filter(({ finding }) => finding)
  t.match(
    findings.toSorted((one, next) => (one.finding < next.finding ? -1 : 1)),
    [
      { finding: 'absent', path: `objects/${first}` },
      { finding: 'erased', path: `objects/${second}` },
    ],
  )
  t.notOk(findings.some(({ path }) => path === `objects/${third}`))
})
