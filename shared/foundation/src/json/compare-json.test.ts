import t from 'tap'
import { compareJson } from './compare-json.ts'

t.test('two values differ by path', async (t) => {
  const from = {
    margin: { top: 20, left: 5 },
    items: [{ price: 1 }, { price: 2 }],
    'two pages': { n: 1 },
    same: [1, { a: 2 }],
  }
  const to = {
    margin: { top: 30 },
    items: [{ price: 1 }, { price: 3 }, 'new'],
    'two pages': { n: null },
    same: [1, { a: 2 }],
  }
  t.strictSame(compareJson('data', from, to, 100), [
    { path: 'data.margin.top', from: 20, to: 30 },
    { path: 'data.margin.left', from: 5 },
    { path: 'data.items[1].price', from: 2, to: 3 },
    { path: 'data.items[2]', to: 'new' },
    { path: 'data["two pages"].n', from: 1, to: null },
  ])
  t.strictSame(compareJson('options', undefined, { scale: 1 }, 100), [{ path: 'options', to: { scale: 1 } }])
  t.strictSame(compareJson('a', 12345678901234567890n, 12345678901234567891n, 100), [
    { path: 'a', from: 12345678901234567890n, to: 12345678901234567891n },
  ])
  t.strictSame(compareJson('a', from, structuredClone(from), 100), [])
})

t.test('a field may have the name of a property of every object', async (t) => {
  t.strictSame(compareJson('a', { constructor: 1 }, { toString: { b: 2 } }, 100), [
    { path: 'a.constructor', from: 1 },
    { path: 'a.toString', to: { b: 2 } },
  ])
})

t.test('differences and the values in them are bounded', async (t) => {
  const many = (value: number) => Array.from({ length: 1_000 }, () => value)
  t.equal(compareJson('a', many(1), many(2), 7).length, 7)
  t.strictSame(compareJson('a', 'x'.repeat(5_000), 'y', 7), [{ path: 'a', to: 'y', large: true }])
})
