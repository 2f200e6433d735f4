import { fc } from '@platen/test-support/fast-check.ts'
import { applyPatch } from 'diff'
import t from 'tap'
import { unifiedDiff } from './compare-versions.ts'

const names = { older: 'html (version 1)', newer: 'html (version 2)' }
const lines = fc.array(fc.constantFrom('<p>a</p>', '<p>b</p>', '', '-', '+ c'), { maxLength: 12 })
const text = fc.tuple(lines, fc.boolean()).map(([all, ended]) => all.join('\n') + (ended && all.length > 0 ? '\n' : ''))

t.test('the diff of two texts, applied to the first, gives the second', async (t) => {
  await fc.assert(
    fc.property(text, text, (before, after) => {
      t.equal(applyPatch(before, unifiedDiff({ before, after, ...names })), after, JSON.stringify({ before, after }))
    }),
  )
})

t.test('texts of which nearly every line differs have a diff soon', async (t) => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, at) => `${word} ${at * 7919}`)
  const same = ['<html>', '<body>']
  for (const [end, ending] of [
    ['\n', []],
    ['', ['</html>']],
  ] as const) {
    const before = [...same, ...lines('a'), ...ending].join('\n') + end
    const after = [...same, ...lines('b'), ...ending].join('\n') + end
    const diff = unifiedDiff({ before, after, ...names })
    t.equal(applyPatch(before, diff), after)
    t.match(diff, /^--- html \(version 1\)$/m)
  }
})
