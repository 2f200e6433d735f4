import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openProfiles } from './profiles.ts'

const longAgo = new Date(Date.now() - 3_600_000)

t.test('what dead owners left goes, what belongs to others stays', async (t) => {
  const parent = t.testdir({
    'platen-browsers-dead': { 'lock.db': '', profile: { Cache: 'x' } },
    'platen-browsers-justmade': { 'lock.db': '' },
    'platen-browsers-unlocked': {},
    'platen-chromium-other': { 'lock.db': '' },
  })
  await utimes(join(parent, 'platen-browsers-dead', 'lock.db'), longAgo, longAgo)
  await utimes(join(parent, 'platen-chromium-other', 'lock.db'), longAgo, longAgo)
  await using living = await openProfiles(parent)
  await utimes(join(living.folder, 'lock.db'), longAgo, longAgo)
  await writeFile(join(living.folder, 'profile'), 'in use')
  const kept = ['platen-browsers-justmade', 'platen-browsers-unlocked', 'platen-chromium-other']
  const found = async () => (await readdir(parent)).map((name) => join(parent, name)).sort()
  const others = kept.map((name) => join(parent, name))
  t.strictSame(await found(), [...others, living.folder].sort())
  {
    await using second = await openProfiles(parent)
    t.strictSame(await found(), [...others, living.folder, second.folder].sort())
    await mkdir(join(second.folder, 'profile'))
  }
  t.strictSame(await found(), [...others, living.folder].sort(), 'its own goes with it')
})
