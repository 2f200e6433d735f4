import t from 'tap'
import { rendered } from '../testing/rendered.ts'

t.test('comparisons and logic', async (t) => {
  const truths: [expression: string, truth: boolean][] = [
    ['eq 1 1', true],
    ['eq 1 "1"', false],
    ['eq missing none', true],
    ['eq missing ""', false],
    ['ne 1 2', true],
    ['ne 1 1', false],
    ['lt 9 10', true],
    ['lt "9" "10"', false],
    ['lt "9" 10', true],
    ['lte 1 1', true],
    ['gt 1 1', false],
    ['gte 1 1', true],
    ['gt missing 1', false],
    ['lt missing 1', false],
    ['and 1 "a"', true],
    ['and 1 ""', false],
    ['and 0 missing', false],
    ['and missing 1', false],
    ['and null 1', false],
    ['or 0 empty', false],
    ['or 0 "a"', true],
    ['not empty', true],
    ['not "a"', false],
    ['in 2 numbers', true],
    ['in "2" numbers', false],
    ['in 2 missing', false],
    ['in "b" "a" "b"', true],
  ]
  for (const [expression, truth] of truths) {
    const template = `{{#if (${expression})}}true{{else}}false{{/if}}`
    t.equal(rendered(template, { empty: [], numbers: [1, 2] }), String(truth), expression)
  }
  t.equal(rendered('{{and "a" "b"}}{{or missing "c"}}'), 'bc')
})

t.test('values that cannot be compared', async (t) => {
  t.throws(() => rendered('{{lt a 1}}', { a: { b: 1 } }), { message: /lt: \{"b":1\} is not a number/ })
  t.throws(() => rendered('{{lt true false}}'), { message: /true and false cannot be compared/ })
  t.throws(() => rendered('{{#eq a b}}x{{/eq}}'), {
    message: /eq is not a block helper: write \{\{eq …\}\} or \{\{#if \(eq …\)\}\}/,
  })
})
