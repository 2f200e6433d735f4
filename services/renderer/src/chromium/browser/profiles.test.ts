import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import t from 'tap'
import { openProfiles } from './profiles.ts'

/** Opens profiles in a process that is killed. */
async function openAndKill(parent: string): Promise<void> {
  const module = JSON.stringify(new URL('profiles.ts', import.meta.url).href)
  const script = `const { openProfiles } = await import(${module}); await openProfiles(${JSON.stringify(parent)})
    process.kill(process.pid, 'SIGKILL')`
  await once(spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' }), 'exit')
}

const namesIn = async (folder: string) => (await readdir(folder)).sort()

t.test('the folder of a killed process is removed at the next start', async (t) => {
  const parent = t.testdir({})
  await openAndKill(parent)
  t.equal((await readdir(parent)).length, 1)
  await using profiles = await openProfiles(parent)
  t.strictSame(await namesIn(parent), [basename(profiles.folder)])
})

t.test('the folder of a process whose id was reused is removed', async (t) => {
  const parent = t.testdir({ [`platen-browsers-${hostname()}-${process.pid}-1-abcdef`]: { profile: '' } })
  await using profiles = await openProfiles(parent)
  t.strictSame(await namesIn(parent), [basename(profiles.folder)])
})

t.test('folders of running processes, other hosts and other programs are kept', async (t) => {
  const others = [
    'platen-browsers-elsewhere-999999999-1-abcdef',
    `platen-browsers-${hostname()}-9-999999999-1-abcdef`,
    `platen-browsers-${hostname()}-999999999-unknown-abcdef`,
    'platen-chromium-abcdef',
  ]
  const parent = t.testdir(Object.fromEntries(others.map((name) => [name, {}])))
  await using running = await openProfiles(parent)
  await writeFile(join(running.folder, 'profile'), 'in use')
  {
    await using second = await openProfiles(parent)
    t.strictSame(await namesIn(parent), [...others, basename(running.folder), basename(second.folder)].sort())
    await mkdir(join(second.folder, 'profile'))
  }
  t.strictSame(await namesIn(parent), [...others, basename(running.folder)].sort(), 'a closed one removes its own')
})
