import t from 'tap'
import { builtinHelpers } from '../builtin-helpers.ts'
import { rendered } from '../testing/rendered.ts'
import { catalogue, helpers } from './catalogue.ts'

t.test('every example of the documentation gives its result', async (t) => {
  for (const helper of Object.values({ ...builtinHelpers, ...helpers })) {
    for (const { template, data, gives } of helper.examples) {
      if (gives === '<svg …>') t.match(rendered(template, data), /^<svg .*<\/svg>$/s, template)
      else t.equal(rendered(template, data), gives, template)
    }
  }
})

t.test('every helper is documented and has a unique name', async (t) => {
  const names = Object.values(catalogue).flatMap((family) => Object.keys(family))
  t.same(new Set(names).size, names.length)
  for (const [name, { signature, does, examples }] of Object.entries(helpers)) {
    t.match(signature, name)
    t.match(does, /^[A-Z].*\.$/s, name)
    t.ok(examples.length > 0, name)
  }
})

t.test('without arguments the name of a helper reads the field', async (t) => {
  const data = { count: 3, sum: 4, min: { max: 5 }, items: [{ round: 6 }], in: false, default: 'd' }
  t.equal(rendered('{{count}} {{sum}} {{min.max}} {{default}}', data), '3 4 5 d')
  t.equal(rendered('{{#each items}}{{round}}{{/each}}{{#in}}x{{else}}y{{/in}}{{#count}}z{{/count}}', data), '6yz')
  t.equal(
    rendered('{{formatNumber count decimals=1}} {{add count sum}} {{#if (eq count 3)}}three{{/if}}', data),
    '3.0 7 three',
  )
  t.equal(
    rendered('{{#each items as |count|}}{{count.round}}{{#with 8 as |sum|}}{{sum}}{{/with}}{{/each}}', data),
    '68',
  )
  t.equal(rendered('{{#each items as |count|}}{{count}}{{/each}}', { items: ['a', 'b'], count: 1 }), 'ab')
  t.equal(rendered('{{count}}'), '')
})
