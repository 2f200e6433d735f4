import t from 'tap'
import { rendered } from '../testing/rendered.ts'

t.test('results have no binary rounding errors', async (t) => {
  t.equal(rendered('{{add 1 "2" 3.5}} {{add 0.1 0.7}} {{multiply 19.99 100}} {{subtract 0.3 0.1}}'), '6.5 0.8 1999 0.2')
  t.equal(
    rendered('{{add 9007199254740991 0}} {{modulo -7 3}} {{add missing 2}} {{divide 1 3}}'),
    '9007199254740991 -1 2 0.333333333333333',
  )
  t.equal(rendered('{{formatCurrency (multiply (add 1 2) 1.5)}}'), '€4.50')
})

t.test('rounding', async (t) => {
  t.equal(
    rendered('{{round 2.5}} {{round -2.5}} {{round 2.345 2}} {{round tiny 2}} {{round huge 2}} {{round -0.2}}', {
      tiny: 1e-7,
      huge: 1e21,
    }),
    '3 -3 2.35 0 1e+21 0',
  )
  t.equal(
    rendered('{{floor -1.5}} {{ceil -1.5}} {{ceil -0.5}} {{abs "-3"}} [{{floor missing}}{{round missing 2}}]'),
    '-2 -1 0 3 []',
  )
})

t.test('helpers over lists', async (t) => {
  const data = { items: [{ a: { b: 1.1 } }, { a: { b: '2.2' } }, {}, null], numbers: [3, null, 1], none: [] }
  t.equal(rendered('{{sum items "a.b"}} {{sum numbers}} {{sum none}} {{sum missing}}', data), '3.3 4 0 0')
  t.equal(rendered('{{min numbers}} {{max numbers}} {{max 1 2}} [{{min none}}{{max missing}}]', data), '1 3 2 []')
  t.equal(rendered('{{count items}} {{count missing}} {{count (lookup items 0)}}', data), '4 0 1')
  t.equal(rendered('{{sum items "__proto__.b"}}{{sum items "constructor.length"}}', data), '00')
})

t.test('invalid values are refused', async (t) => {
  for (const [template, message] of [
    ['{{divide 1 0}}', /divide: 1 cannot be divided by 0/],
    ['{{modulo 1 missing}}', /modulo: 1 cannot be divided by 0/],
    ['{{add "x" 1}}', /add: "x" is not a number/],
    ['{{multiply huge huge huge}}', /multiply: the result is too large/],
    ['{{sum "abc"}}', /sum: "abc" is not a list/],
    ['{{sum words}}', /sum: "a" is not a number/],
    ['{{count "abc"}}', /count: "abc" is not a list/],
    ['{{round 1 16}}', /decimals must be a whole number from 0 to 15/],
  ] as const) {
    t.throws(
      () => rendered(template, { words: ['a'], huge: 1e200 }),
      { code: 'TEMPLATE_RENDER_ERROR', message },
      template,
    )
  }
})

t.test('integers that a number cannot hold are printed as they are, and not calculated with', async (t) => {
  const data = {
    id: 12345678901234567890n as unknown as number,
    ids: [12345678901234567890n as unknown as number],
    text: '9007199254740993',
  }
  t.equal(rendered('{{id}} {{#if id}}yes{{/if}} {{text}}', data), '12345678901234567890 yes 9007199254740993')
  t.match(rendered('{{{json this}}}', data), /"id":\s*12345678901234567890/)
  for (const template of ['{{add id 1}}', '{{add text 1}}', '{{sum ids}}', '{{round id}}', '{{formatNumber id}}']) {
    const name = template.match(/\w+/)?.[0]
    const message = new RegExp(`${name}: (12345678901234567890|9007199254740993) is beyond ±9007199254740991`)
    t.throws(() => rendered(template, data), { code: 'TEMPLATE_RENDER_ERROR', message }, template)
  }
})
