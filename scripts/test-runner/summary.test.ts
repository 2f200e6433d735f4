import t from 'tap'
import { Parser } from 'tap-parser'

import { summarize, summaryLines } from './summary.ts'

const summaryOf = (tap: string) => {
  const parser = new Parser()
  const summary = summarize(parser)
  parser.end(tap)
  return summary
}

const report = `TAP version 14
# Subtest: a.test.ts
    # Subtest: outer
        ok 1 - fine
        # Subtest: inner
            not ok 1 - one is two
              ---
              compare: ===
              diff: |
                --- expected
                +++ actual
                @@ -1,1 +1,1 @@
                -2
                +1
              ...
            
            ok 2 - fine
            1..2
        not ok 2 - inner # time=20.5ms
        
        1..2
    not ok 1 - outer # time=30.1ms
    
    ok 2 - not here # SKIP no browser
    not ok 3 - later # TODO
    1..3
    # time=1722.296ms
not ok 1 - a.test.ts # time=1722.296ms
  ---
  command: /usr/bin/node
  ended: |
    with exit code 1
  ...

# Subtest: b.test.ts
    # Subtest: hangs
        not ok 1 - timeout!
          ---
          expired: TAP
          ...
        
        1..1
    not ok 1 - hangs # time=600000ms
    
    1..1
    # time=600001.5ms
not ok 2 - b.test.ts # time=600001.5ms
  ---
  expired: |
    it did not end within 600 s
  left running: |
    123 sleep 1
  ended: |
    by SIGALRM
  ...

# Subtest: c.test.ts
    ok 1 - fine
    # test count(1) != plan(null)
not ok 3 - c.test.ts # time=7.5ms
  ---
  ended: |
    by SIGKILL
  ...

# Subtest: d.test.ts
    ok 1 - fine
    1..1
ok 4 - d.test.ts # time=3000ms
  ---
  left running: |
    124 sleep 2
    125 sleep 3
  ...

1..4
`

t.test('every failed assertion is told once, with its file and its subtests', async (t) => {
  t.strictSame(
    summaryOf(report).failures.map(({ path }) => path.join(' > ')),
    ['a.test.ts > outer > inner > one is two', 'b.test.ts > hangs > timeout!', 'b.test.ts', 'c.test.ts'],
  )
})

t.test('a failure has its difference, and how a process ended', async (t) => {
  const details = summaryOf(report).failures.map(({ details }) => details)
  t.strictSame(details, [
    ['diff:', '  --- expected', '  +++ actual', '  @@ -1,1 +1,1 @@', '  -2', '  +1', 'compare: ==='],
    ['expired: TAP'],
    ['expired:', '  it did not end within 600 s', 'left running:', '  123 sleep 1', 'ended:', '  by SIGALRM'],
    ['ended:', '  by SIGKILL'],
  ])
})

t.test('a long difference is cut', async (t) => {
  const lines = Array.from({ length: 100 }, (_, index) => `      ${index} ${'x'.repeat(500)}\n`).join('')
  const [failure] = summaryOf(`not ok 1 - long\n  ---\n  diff: |\n${lines}  ...\n1..1\n`).failures
  t.equal(failure?.details.length, 40)
  t.ok(failure?.details.every((line) => line.length <= 200))
})

t.test('the slowest files come first', async (t) => {
  const lines = summaryLines(summaryOf(report))
  t.strictSame(lines.slice(1, 6), [
    'The slowest test files:',
    '   600.0 s  b.test.ts',
    '     3.0 s  d.test.ts',
    '     1.7 s  a.test.ts',
    '     0.0 s  c.test.ts',
  ])
  t.ok(lines.includes('Failed: 4'))
  t.ok(lines.includes('  a.test.ts > outer > inner > one is two'))
})

t.test('a run without failures says so', async (t) => {
  t.ok(summaryLines(summaryOf('ok 1 - a.test.ts # time=1ms\n1..1\n')).includes('No test failed.'))
})

t.test('what a passed file has left running is named', async (t) => {
  const at = summaryLines(summaryOf(report)).indexOf('d.test.ts has left processes running, which were killed:')
  t.strictSame(summaryLines(summaryOf(report)).slice(at + 1, at + 3), ['124 sleep 2', '125 sleep 3'])
})
