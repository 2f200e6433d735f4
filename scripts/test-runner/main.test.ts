import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { labSuites, systemSuites } from './suites.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const root = dirname(dirname(dirname(main)))
const run = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { cwd: root, encoding: 'utf8' })

t.test('files and folders are run, and the totals come last', async (t) => {
  const tap = "import t from 'tap'\n"
  const folder = t.testdir({
    'a.test.ts': `${tap}t.pass('fine')\nt.test('later', { skip: 'no browser' }, async () => {})`,
    more: { 'b.test.ts': `${tap}t.test('sums', async (t) => t.equal(1 + 1, 3))`, 'not-a-test.ts': 'throw 1' },
  })
  const passed = run('--seed=7', join(folder, 'a.test.ts'))
  t.equal(passed.status, 0)
  t.match(passed.stdout, /^Skipped:\n +1 {2}no browser \(\S+a\.test\.ts\)$/m)
  t.match(passed.stdout, /^1 files in \d+ s, seed 7\n1 passed, 0 failed, 1 skipped\n$/m)
  const both = run('--jobs=1', folder)
  t.equal(both.status, 1)
  t.match(both.stdout, /^ok +\d+\.\d s {2}cpu +\d+\.\d s {2}\S+a\.test\.ts$/m)
  t.match(
    both.stdout,
    /^FAILED +\d+\.\d s {2}cpu +\d+\.\d s {2}\S+b\.test\.ts\n\n {2}\S+more\/b\.test\.ts > sums > should be equal/m,
  )
  t.match(both.stdout, /^The slowest files:$/m)
  t.match(both.stdout, /^Failed: 1$/m)
  t.match(both.stdout, /\n1 passed, 1 failed, 1 skipped\n$/)
})

t.test('the seed of a run reaches its files', async (t) => {
  const file = `import t from 'tap'\nimport { seed } from '@platen/test-support/seed.ts'\nt.equal(seed, 23)`
  t.match(run('--seed=23', join(t.testdir({ 'a.test.ts': file }), 'a.test.ts')), { status: 0 })
})

t.test('suites are listed with their times, and each has files', async (t) => {
  for (const [name, suites] of Object.entries({ system: systemSuites, lab: labSuites })) {
    const { status, stdout } = run('--suites', name, '--list')
    t.equal(status, 0)
    for (const { name, minutes } of suites) t.match(stdout, new RegExp(`^${name} +${minutes} min  `, 'm'))
  }
  const unknown = run('--suites=system', 'nothing')
  t.match(unknown, { status: 2, stderr: /there is no suite nothing: / })
  t.match(run('--list').stdout, /^scripts\/test-runner\/main\.test\.ts$/m)
})

t.test('wrong arguments are answered with the usage', async (t) => {
  for (const args of [
    ['test/nothing.test.ts'],
    ['docs'],
    ['--jobs=none'],
    ['--seed=x'],
    ['--grep=x'],
    ['--suites=x'],
  ]) {
    t.match(run(...args), { status: 2, stdout: '', stderr: /^npm test: .*\n\nusage: npm test/ }, args.join(' '))
  }
})
