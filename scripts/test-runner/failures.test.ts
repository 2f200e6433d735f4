import t from 'tap'
import { failureLines } from './failures.ts'

const report = `# Subtest: outer
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
`
const result = {
  file: 'a.test.ts',
  ok: false,
  ms: 1,
  cpuMs: 1,
  counts: { total: 4, pass: 2, fail: 1, skip: 1, todo: 1 },
  skipped: [],
  report,
  problems: {},
}

t.test('a failed assertion is told once, with its file, its subtests and its difference', async (t) => {
  t.strictSame(failureLines(result), [
    '',
    '  a.test.ts > outer > inner > one is two',
    '      diff:',
    '        --- expected',
    '        +++ actual',
    '        @@ -1,1 +1,1 @@',
    '        -2',
    '        +1',
    '      compare: ===',
  ])
})

t.test('how the process ended comes after the assertions', async (t) => {
  const problems = { ended: 'by SIGKILL', 'left running': '123 sleep 1\n124 sleep 2' }
  t.strictSame(failureLines({ ...result, problems }).slice(-5), [
    '  a.test.ts',
    '      ended: by SIGKILL',
    '      left running:',
    '        123 sleep 1',
    '        124 sleep 2',
  ])
})

t.test('a long difference is cut', async (t) => {
  const lines = Array.from({ length: 100 }, (_, index) => `      ${index} ${'x'.repeat(500)}\n`).join('')
  const cut = failureLines({ ...result, report: `not ok 1 - long\n  ---\n  diff: |\n${lines}  ...\n1..1\n` })
  t.equal(cut.length, 42)
  t.ok(cut.every((line) => line.length <= 206))
})
