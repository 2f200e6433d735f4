import t from 'tap'
import { charsOf } from './chars-of.ts'

t.test('a large value has about as many characters as its JSON', async (t) => {
  const values = [
    'x'.repeat(100_000),
    {
      html: 'x'.repeat(50_000),
      sample_data: { rows: Array.from({ length: 1_000 }, (_, row) => ({ row, name: 'a name' })) },
    },
    Array.from({ length: 10_000 }, () => 12_345_678),
  ]
  for (const value of values) {
    const chars = JSON.stringify(value).length
    t.ok(charsOf(value) > chars / 2 && charsOf(value) < chars * 2)
  }
})

t.test('a value may have any number of levels', async (t) => {
  t.ok(charsOf(JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)) > 200_000)
})
