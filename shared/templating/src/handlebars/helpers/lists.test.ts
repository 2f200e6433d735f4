import t from 'tap'
import { rendered } from '../testing/rendered.ts'

const items = [
  { name: 'Ink', kind: 'b', quantity: 3, price: '0.10', vat: 19 },
  { name: 'paper', kind: 'a', quantity: 10, price: 0.7, 'unit-price': 2 },
  { name: 'Äther', kind: 'b', quantity: null, price: 5 },
]

t.test('aggregates calculate with decimals over paths and expressions', async (t) => {
  const sum = (expression: string) => rendered(`{{sum items "${expression}"}}`, { items })
  t.equal(sum('quantity * price'), '7.3')
  t.equal(sum('(quantity + 1) * price / 2'), '4.05')
  t.equal(sum('unit-price * -1.5'), '-3')
  t.equal(sum('quantity - 1'), '11')
  t.equal(
    rendered('{{sum items "price"}} {{avg items "quantity"}} {{min items "price"}} {{max items "price"}}', { items }),
    '5.8 6.5 0.1 5',
  )
  t.equal(
    rendered('{{sum prices}} {{avg none}}[{{min none "x"}}]{{sum none "a * b"}}', {
      prices: [1.1, 2.2, '3.3'],
      none: [],
    }),
    '6.6 []0',
  )
  const many = Array.from({ length: 10_000 }, () => ({ a: 0.1, b: 3 }))
  t.equal(rendered('{{sum many "a * b"}}', { many }), '3000')
  t.equal(rendered('{{divide (sum items "price") 0.1}}', { items: [{ price: 0.3 }] }), '3')
})

t.test('texts are numbers as elsewhere, and many digits take no more time than few', async (t) => {
  const sum = (...list: unknown[]) => rendered('{{sum list}}', { list } as never)
  t.equal(sum('+5', '0x10', '0b11', '.5', '5.', ' 7\n'), '36.5')
  t.equal(rendered('{{max list}}', { list: ['+5', '+6'] }), '6')
  const long = { a: `1.${'7'.repeat(300_000)}`, b: `1.${'3'.repeat(300_000)}` }
  // Calculated exactly, it would take minutes.
  t.match(rendered('{{sum list "a * b"}}', { list: [long] }), /^2\.37037037037037/)
})

t.test('a field whose name has the signs of an expression is read by its name', async (t) => {
  const list = [{ 'Price (net)': 3, 'a/b': 4, a: 8, b: 2 }]
  t.equal(rendered('{{sum list "Price (net)"}} {{sum list "a/b"}} {{sum list "a / b"}}', { list }), '3 4 4')
})

t.test('values of any type are told apart and sorted, or refused by what they are', async (t) => {
  const large = 12345678901234567890n as unknown as number
  t.equal(rendered('{{count (unique list)}}', { list: [{ n: large }, { n: large }, { n: 1 }, '{"n":1}'] }), '3')
  const odd = { toString: 1, valueOf: 1 }
  t.throws(() => rendered('{{sortBy list}}', { list: [odd, 1] }), { message: /sortBy: \{"toString".* is not a string/ })
  t.equal(rendered('{{count (where list "a" "contains" odd)}}', { list: [{ a: 'x' }], odd }), '0')
})

t.test('expressions that cannot be calculated are refused by their text', async (t) => {
  const wrong: [string, RegExp][] = [
    ['quantity *', /"quantity \*" is not a path or an expression/],
    ['(price', /not a path or an expression/],
    ['price ** 2', /not a path or an expression/],
    ['price + constructor(1)', /not a path or an expression/],
    [`${'price + '.repeat(30)}1`, /more than 200 characters/],
    ['price / (vat - 19)', /cannot be divided by 0/],
    ['name * 2', /"Ink" is not a number/],
    [Array(20).fill('price * 99999999999').join(' * '), /too large or too small|more than 200/],
  ]
  for (const [expression, message] of wrong) {
    t.throws(() => rendered(`{{sum items "${expression}"}}`, { items }), { message }, expression)
  }
  t.throws(() => rendered('{{sum items "a * b"}}', { items: [{ a: 1e300, b: 1 }] }), { message: /too large/ })
  t.throws(() => rendered('{{sum items "a"}}', { items: [{ a: 5e-300 }] }), { message: /too small/ })
})

t.test('lists are chosen from, sorted and grouped', async (t) => {
  const names = (list: string) => rendered(`{{join ${list} "," "name"}}`, { items, wanted: 'b' })
  t.equal(names('(where items "kind" wanted)'), 'Ink,Äther')
  t.equal(names('(where items "quantity" ">=" 3)'), 'Ink,paper')
  t.equal(names('(where items "name" "contains" "p")'), 'paper')
  t.equal(names('(where items "kind" "!=" "b")'), 'paper')
  t.equal(names('(where items "vat")'), 'Ink')
  t.equal(names('(sortBy items "name" locale="de")'), 'Äther,Ink,paper')
  t.equal(names('(sortBy items "-quantity")'), 'paper,Ink,Äther')
  t.equal(names('(sortBy items "kind, -price")'), 'paper,Äther,Ink')
  t.equal(rendered('{{join (sortBy list)}}', { list: ['b10', 2, 'b9', '1', 30] }), '1, 2, 30, b9, b10')
  t.equal(rendered('{{#each (groupBy items "kind")}}{{key}}{{sum items "price"}} {{/each}}', { items }), 'b5.1 a0.7 ')
  t.equal(
    rendered('{{join (unique (pluck items "kind"))}} {{join (map items "quantity + 1") "|"}}', { items }),
    'b, a 4|11|',
  )
  t.throws(() => rendered('{{where items "a" "~" 1}}', { items }), { message: /"~" is not an operator/ })
  t.throws(() => rendered('{{sortBy "text" "a"}}'), { message: /is not a list/ })
  t.equal(rendered('{{pluck items "__proto__"}}{{join (map items "constructor.name")}}', { items }), ', , ')
})

t.test('texts and days', async (t) => {
  t.equal(rendered('{{{replace text "a.c" "$&"}}}[{{replace missing "a" "b"}}]', { text: 'a.c abc' }), '$& abc[]')
  t.throws(() => rendered('{{replace text "a" long}}', { text: 'a'.repeat(10_000), long: 'b'.repeat(1_000) }), {
    message: /more than 5 MiB/,
  })
  t.equal(rendered('{{plural 0 "# day" "# days" zero="today"}} {{plural 2 "# day" "# days"}}'), 'today 2 days')
  t.equal(rendered('{{plural 5 one="# plik" few="# pliki" many="# plików" other="x" locale="pl"}}'), '5 plików')
  t.throws(() => rendered('{{plural 2 "day"}}'), { message: /no form other/ })
  t.equal(
    rendered(
      '{{diffDays "2026-03-01" "2026-01-31"}} {{diffDays "2026-01-01T23:30:00Z" "2026-01-02" timezone="Asia/Tokyo"}}',
    ),
    '-29 0',
  )
})
