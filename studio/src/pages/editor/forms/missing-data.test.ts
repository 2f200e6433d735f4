import t from 'tap'
import { withMissing } from './missing-data.ts'

t.test('missing values are added where they are missing, in all items of a list', async (t) => {
  const data = { customer: { name: 'Ada' }, items: [{ price: 2 }, {}, {}] }
  const filled = withMissing(data, [
    { path: 'customer.city', call: '{{customer.city}}' },
    { path: 'items[1].price', call: '{{formatCurrency price}}' },
    { path: 'items[0]["unit price"]', call: '{{[unit price]}}' },
    { path: 'due', call: '{{formatDate due "long"}}' },
    { path: 'taxes', call: '{{#each taxes}}' },
    { path: 'costs', call: '{{sum costs "amount"}}' },
    { path: 'customer.name.first', call: '{{customer.name.first}}' },
    { path: '__proto__.polluted', call: '{{x}}' },
  ])
  t.same(filled, {
    customer: { name: 'Ada', city: 'city' },
    items: [
      { price: 2, 'unit price': 'unit price' },
      { price: 1, 'unit price': 'unit price' },
      { price: 1, 'unit price': 'unit price' },
    ],
    due: '2026-01-31',
    taxes: [{}],
    costs: [{ amount: 1 }],
  })
  t.equal(({} as Record<string, unknown>).polluted, undefined)
  t.same(data.items[1], {}, 'the data are not changed')
})
