import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const root = dirname(dirname(dirname(main)))
const run = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { cwd: root, encoding: 'utf8' })

t.test('files and folders are run, and the totals and the failures come last', async (t) => {
  const tap = "import t from 'tap'\n"
  const folder = t.testdir({
    'a.test.ts': `${tap}t.pass('fine')\nt.test('later', { skip: 'no browser' }, async () => {})`,
    more: { 'b.test.ts': `${tap}t.test('sums', async (t) => t.equal(1 + 1, 3))`, 'not-a-test.ts': 'throw 1' },
  })
  const passed = run(join(folder, 'a.test.ts'))
  t.equal(passed.status, 0)
  t.match(passed.stdout, /^# \{ total: 2, pass: 1, skip: 1 \}$/m)
  t.match(passed.stdout, 'No test failed.')
  const both = run('--jobs=1', folder)
  t.equal(both.status, 1)
  t.match(both.stdout, /^ok 1 - \S+a\.test\.ts # time=.*^not ok 2 - \S+b\.test\.ts # time=/ms)
  t.match(both.stdout, /^# \{ total: 3, pass: 1, fail: 1, skip: 1 \}$/m)
  t.match(both.stdout, /Failed: 1\n\n {2}\S+more\/b\.test\.ts > sums > should be equal/)
})

t.test('wrong arguments are answered with the usage', async (t) => {
  for (const args of [['test/nothing.test.ts'], ['docs'], ['--jobs=none'], ['--grep=x']]) {
    t.match(run(...args), { status: 2, stdout: '', stderr: /^npm test: .*\n\nusage: npm test/ }, args.join(' '))
  }
})
