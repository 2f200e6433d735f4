import t from 'tap'
import { defined } from './defined.ts'

t.test('fields without a value are left out, those with one are not', async (t) => {
  const given: { a?: number; b: string | undefined; c: null; d: boolean } = { b: undefined, c: null, d: false }
  const result: { a?: number; b?: string; c: null; d: boolean } = defined(given)
  t.strictSame(result, { c: null, d: false })
  t.notOk('b' in result)
})
