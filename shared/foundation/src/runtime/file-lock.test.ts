import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { FileLocked, lockFile } from './file-lock.ts'

/** Another process that holds the lock until it is killed. */
async function startHolder(t: Test, path: string, kind: string) {
  const source = `import { lockFile } from ${JSON.stringify(import.meta.resolve('./file-lock.ts'))}
    lockFile(${JSON.stringify(path)}, ${JSON.stringify(kind)})
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

t.test('a lock excludes other processes, names who has it, and ends with a killed process', async (t) => {
  const path = join(t.testdir(), 'lock')
  const sharing = await startHolder(t, path, 'shared')
  lockFile(path, 'shared')[Symbol.dispose]()
  const refused = { name: 'FileLocked', message: new RegExp(`process ${sharing.pid} \\(.*node`) }
  t.throws(() => lockFile(path, 'exclusive'), process.platform === 'linux' ? refused : { name: 'FileLocked' })
  sharing.kill('SIGKILL')
  await once(sharing, 'exit')
  const alone = await startHolder(t, path, 'exclusive')
  for (const kind of ['shared', 'exclusive'] as const) t.throws(() => lockFile(path, kind), FileLocked)
  alone.kill('SIGKILL')
  await once(alone, 'exit')
  lockFile(path, 'exclusive')[Symbol.dispose]()
})

t.test('locks exclude each other in one process, too, and end with their disposal', async (t) => {
  const path = join(t.testdir(), 'lock')
  {
    using _one = lockFile(path, 'shared')
    using _other = lockFile(path, 'shared')
    t.throws(() => lockFile(path, 'exclusive'), FileLocked)
  }
  {
    using _alone = lockFile(path, 'exclusive')
    t.throws(() => lockFile(path, 'shared'), FileLocked)
  }
  lockFile(path, 'shared')[Symbol.dispose]()
  t.throws(() => lockFile(join(path, 'below'), 'shared'), { message: /unable to open/ })
})

t.test('a lock is held although nobody keeps it', async (t) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const path = join(t.testdir(), 'lock')
  lockFile(path, 'exclusive')
  for (let round = 0; round < 3; round++) {
    await delay(10)
    collectGarbage()
  }
  t.throws(() => lockFile(path, 'shared'), FileLocked)
})

const notRoot = process.getuid?.() === 0 ? false : 'only root creates files for others'

t.test('a lock file that root creates is that of the owner of the folder', { skip: notRoot }, async (t) => {
  const folder = t.testdir()
  chownSync(folder, 65534, 65534)
  lockFile(join(folder, 'lock'), 'exclusive')[Symbol.dispose]()
  t.match(statSync(join(folder, 'lock')), { uid: 65534, gid: 65534 })
  const other = join(folder, 'other')
  writeFileSync(other, '')
  lockFile(join(folder, 'second'), 'shared', { ownedAs: other })[Symbol.dispose]()
  t.match(statSync(join(folder, 'second')), { uid: 0 })
})
