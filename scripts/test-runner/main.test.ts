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

t.test(
  'a failed file is run again alone, and the report of a file that then passes says what failed at first',
  async (t) => {
    const tap = "import t from 'tap'\nimport { existsSync, writeFileSync } from 'node:fs'\n"
    const once = (name: string) => `${tap}const seen = new URL('${name}', import.meta.url)
    t.ok(existsSync(seen), 'the first run was before')\nwriteFileSync(seen, '')`
    const folder = t.testdir({
      'a.test.ts': once('a'),
      'b.test.ts': `${tap}t.pass('fine')`,
      more: { 'c.test.ts': once('c'), 'd.test.ts': `${tap}t.fail('always')` },
    })
    const [a, b] = [join(folder, 'a.test.ts'), join(folder, 'b.test.ts')]
    const { status, stdout } = run('--again=1', a, b)
    t.equal(status, 0)
    t.match(stdout, /^# \{ total: 2, pass: 2 \}$/m)
    t.match(
      stdout,
      /No test failed\.\n\n\S+a\.test\.ts failed, and passed when it was run again alone\. At first:\n\n.*first run was before/,
    )
    const two = run('--again=1', join(folder, 'more'))
    t.equal(two.status, 1)
    t.match(two.stdout, /^# \{ total: 2, pass: 0, fail: 2 \}$/m)
    const always = run('--again=2', join(folder, 'more'))
    t.equal(always.status, 1)
    t.match(always.stdout, /^# \{ total: 2, pass: 1, fail: 1 \}$/m)
  },
)

t.test('wrong arguments are answered with the usage', async (t) => {
  for (const args of [['test/nothing.test.ts'], ['docs'], ['--jobs=none'], ['--again=-1'], ['--grep=x']]) {
    t.match(run(...args), { status: 2, stdout: '', stderr: /^npm test: .*\n\nusage: npm test/ }, args.join(' '))
  }
})
