import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { permissionFlags } from './permissions.ts'

t.test('a process reads its code, and no file of the deployment', async (t) => {
  const key = join(t.testdir({}), 'office.p12')
  writeFileSync(key, 'key')
  const read = (path: string) => {
    const script = `require('node:fs').readFileSync(${JSON.stringify(path)})`
    return spawnSync(process.execPath, [...permissionFlags(), '-e', script], { encoding: 'utf8' }).stderr
  }
  for (const path of [
    key,
    '/etc/passwd',
    '/proc/self/environ',
    join(import.meta.dirname, '../../../../package.json'),
  ]) {
    t.match(read(path), /ERR_ACCESS_DENIED/, path)
  }
  t.equal(read(import.meta.filename), '')
})
