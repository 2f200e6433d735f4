import t from 'tap'
import { stringifyFields } from './json-fields.ts'

t.test('fields that are JSON already are written as they are, and the others as by JSON.stringify', async (t) => {
  const fields = { name: 'a "b"', data: {}, big: 12345678901234567890n, none: undefined, nothing: null, '"': [1] }
  t.equal(
    stringifyFields(fields, { data: '{"a":1.0}' }),
    '{"name":"a \\"b\\"","data":{"a":1.0},"big":12345678901234567890,"nothing":null,"\\"":[1]}',
  )
  t.equal(stringifyFields({ constructor: 1 }, {}), '{"constructor":1}')
  t.equal(stringifyFields({}, { other: '1' }), '{}', 'only fields of the object')
})
