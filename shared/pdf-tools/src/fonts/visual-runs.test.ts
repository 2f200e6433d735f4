import t from 'tap'
import { visualRuns } from './visual-runs.ts'

/** The runs from left to right, with `<` at those from right to left. */
const shown = (line: string) => visualRuns(line).map(({ text, isRightToLeft }) => (isRightToLeft ? `<${text}` : text))

t.test('a line of one direction is one run', async (t) => {
  t.strictSame(shown('Draft 12.50 €'), ['Draft 12.50 €'])
  t.strictSame(shown('שלום עולם'), ['<שלום עולם'])
  t.strictSame(shown(''), [])
})

t.test('words of the other direction are in the order of the line', async (t) => {
  t.strictSame(shown('Total סך הכל sum'), ['Total ', '<סך הכל', ' ', 'sum'])
  t.strictSame(shown('סכום Total כאן'), ['<כאן', '< ', 'Total', '<סכום '])
})

t.test('numbers run from left to right, with their points and signs', async (t) => {
  t.strictSame(shown('מחיר 12.50 שקל'), ['< שקל', '12.50', '<מחיר '])
  t.strictSame(shown('מחיר 5%'), ['5%', '<מחיר '])
  t.strictSame(shown('No 7 א 12 ב'), ['No 7 ', '< ב', '12', '<א '])
})

t.test('letters of scripts with a shape of their own are runs of their own', async (t) => {
  t.strictSame(shown('PDF हिन्दी'), ['PDF ', 'हिन्दी'])
})
