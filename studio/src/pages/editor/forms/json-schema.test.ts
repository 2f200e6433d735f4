import t from 'tap'
import { defaultInside, isTooDeep, resolved } from './json-schema.ts'

t.test('a field of any name has a place in the form', async (t) => {
  const schema = { description: 'default: top 20, bottom 7.5, left 15' }
  t.equal(defaultInside(schema, 'top'), '20')
  t.equal(defaultInside(schema, 'bottom'), '7.5')
  t.equal(defaultInside(schema, 'right'), undefined)
  for (const name of ['c++', 'price (net', '[', '*', 'default:']) t.equal(defaultInside(schema, name), undefined, name)
  t.equal(defaultInside({ description: 'default: A4' }, 'A4'), undefined)
})

t.test('a schema that refers to itself ends, as far as there are no data', async (t) => {
  const root = { $defs: { node: { type: 'object', properties: { child: { $ref: '#/$defs/node' } } } } }
  t.match(resolved({ $ref: '#/$defs/node' }, root), { type: 'object' })
  t.equal(isTooDeep('node.child.child', undefined), false)
  t.equal(isTooDeep('node.child.child.child.child', undefined), true)
  t.equal(isTooDeep('node.child.child.child.child', { child: {} }), false, 'data that are there are shown')
  t.same(resolved({ $ref: 5 } as never, root), { $ref: 5 }, 'what is half typed is no error')
})
