import t from 'tap'
import { pathsIn } from './data-paths.ts'
import { mustacheAt } from './mustache-context.ts'
import { sampleOfSchema, withSample } from './schema-sample.ts'

const data = { title: 'T', customer: { name: 'Ada' }, items: [{ price: 1 }, { price: 2, note: 'n' }] }
const pathsAt = (before: string) => pathsIn(data, mustacheAt(before)?.blocks ?? []).map(({ path }) => path)

t.test('the cursor is in a mustache, and at what place of it', async (t) => {
  t.equal(mustacheAt('<p>text'), undefined)
  t.equal(mustacheAt('{{a}} text'), undefined)
  t.equal(mustacheAt('{{! a comm'), undefined)
  t.equal(mustacheAt('{{formatDate "yy'), undefined, 'in a text')
  t.match(mustacheAt('{{cust'), { kind: 'name', word: 'cust' })
  t.match(mustacheAt('{{{raw.ht'), { kind: 'name', word: 'raw.ht' })
  t.match(mustacheAt('{{#ea'), { kind: 'block', word: 'ea' })
  t.match(mustacheAt('{{> let'), { kind: 'partial', word: 'let' })
  t.match(mustacheAt('{{#each a}}{{/ea'), { kind: 'close', word: 'ea', blocks: [{ name: 'each' }] })
  t.match(mustacheAt('{{formatNumber price dec'), { kind: 'argument', word: 'dec', helper: 'formatNumber' })
  t.match(mustacheAt('{{formatNumber (mul'), { kind: 'name', word: 'mul' })
  t.match(mustacheAt('{{formatNumber (multiply pri'), { kind: 'argument', word: 'pri', helper: 'multiply' })
})

t.test('the fields are those of the blocks that are open', async (t) => {
  t.same(pathsAt('{{'), ['title', 'customer', 'customer.name', 'items'])
  const inLoop = pathsAt('{{#each items}}{{')
  t.same(inLoop.slice(0, 2).toSorted(), ['note', 'price'], 'of all items')
  t.ok(inLoop.includes('@root.customer.name'))
  t.ok(inLoop.includes('@index'))
  t.same(pathsAt('{{#each items as |item at|}}{{').slice(0, 4).toSorted(), ['at', 'item', 'item.note', 'item.price'])
  t.equal(pathsAt('{{#with customer}}{{')[0], 'name')
  t.equal(pathsAt('{{#each items}}{{/each}}{{')[0], 'title', 'a block that is closed is left')
  t.equal(pathsAt('{{!-- {{#each items}} --}}{{')[0], 'title', 'a comment opens nothing')
})

t.test('a schema names fields that the data lack', async (t) => {
  const schema = {
    properties: { title: { type: 'string' }, lines: { items: { $ref: '#/$defs/line' } } },
    $defs: { line: { properties: { net: { type: 'number' } } } },
  }
  t.same(withSample({ title: 'T' }, sampleOfSchema(schema)), { title: 'T', lines: [{ net: 'number' }] })
  const endless = { properties: { inner: { $ref: '#' } } }
  t.ok(JSON.stringify(sampleOfSchema(endless)).length < 1_000, 'a schema that refers to itself ends')
})
