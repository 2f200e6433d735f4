import t from 'tap'
import { formatPageRanges, missingRange, parsePageRanges, reachesEveryRange, selectedPages } from './page-ranges.ts'

t.test('numbers and ranges are parsed', async (t) => {
  t.same(parsePageRanges('1-3, 5, 8-'), [{ from: 1, to: 3 }, { from: 5, to: 5 }, { from: 8 }])
  t.same(parsePageRanges(' 2 '), [{ from: 2, to: 2 }])
  t.same(parsePageRanges('4 - 6'), [{ from: 4, to: 6 }])
  t.same(parsePageRanges('1-1,2'), [
    { from: 1, to: 1 },
    { from: 2, to: 2 },
  ])
})

t.test('invalid ranges throw an error that says what is wrong', async (t) => {
  const wrong: [string, RegExp][] = [
    ['', /numbers and ranges/],
    ['all', /not "all"/],
    ['1,', /numbers and ranges/],
    ['-3', /not "-3"/],
    ['1.5', /not "1.5"/],
    ['1-2-3', /not "1-2-3"/],
    ['0', /counted from 1/],
    ['0-2', /counted from 1/],
    ['3-1', /3-1 does not/],
    ['5, 1-3', /1-3 comes after 5/],
    ['1-3, 3', /3 comes after 1-3/],
    ['2-, 7', /7 comes after 2-/],
    ['99999999999', /no page 99999999999/],
    ['١', /numbers and ranges/],
  ]
  for (const [text, message] of wrong) t.throws(() => parsePageRanges(text), message, text)
  t.throws(() => parsePageRanges('x'), RangeError)
})

t.test('ranges are formatted for Chromium', async (t) => {
  t.equal(formatPageRanges(parsePageRanges('1 - 3, 5 , 8-')), '1-3,5,8-')
})

t.test('the number of printed pages shows whether a range is beyond the last page', async (t) => {
  const ranges = parsePageRanges('1-3, 5, 8-')
  t.equal(reachesEveryRange(ranges, 5), true, 'pages 1, 2, 3, 5, 8')
  t.equal(reachesEveryRange(ranges, 4), false, 'pages 1, 2, 3, 5 of 7')
  t.equal(reachesEveryRange(ranges, 2), false)
  t.equal(reachesEveryRange(parsePageRanges('1-8'), 3), true)
})

t.test('a selection names pages that exist', async (t) => {
  const cases: [selection: string | undefined, pages: number[]][] = [
    [undefined, [1, 2, 3]],
    ['all', [1, 2, 3]],
    ['first', [1]],
    ['last', [3]],
    ['2-', [2, 3]],
    ['1, 3-9', [1, 3]],
    ['7', []],
  ]
  for (const [selection, pages] of cases) t.strictSame(selectedPages(selection, 3), pages, String(selection))
  t.throws(() => selectedPages('even', 3), /not "even"/)
})

t.test('the first range without a page is named', async (t) => {
  const cases = [
    [undefined, undefined],
    ['last', undefined],
    ['2-9', undefined],
    ['1, 4', '4'],
    ['4-', '4-'],
    ['2, 4-5, 7', '4-5'],
  ] as const
  for (const [selection, missing] of cases) t.equal(missingRange(selection, 3), missing, String(selection))
})
