import t from 'tap'
import { FieldNames } from './field-names.ts'

function namesOf(...wanted: string[]) {
  const names = new FieldNames()
  return { used: wanted.map((name) => names.add(name)), renamed: names.renamed, example: names.example }
}

t.test('a name is kept, and a second one gets a number', async (t) => {
  t.strictSame(namesOf('a', 'b', 'a', 'a', 'a+1'), {
    used: ['a', 'b', 'a+1', 'a+2', 'a+1+1'],
    renamed: 3,
    example: ['a', 'a+1'],
  })
})

t.test('inputs without a name are numbered, which is no change', async (t) => {
  t.match(namesOf('', ' ', '..'), { used: ['field', 'field+1', 'field+2'], renamed: 0 })
})

t.test('a name is no field and a group at once', async (t) => {
  t.match(namesOf('a', 'a.b', 'c.d', 'c'), { used: ['a', 'a_b', 'c.d', 'c+1'], renamed: 2 })
  t.match(namesOf('a..b', 'a. b', 'x\u0000y'), { used: ['a.b', 'a.b+1', 'xy'] })
})
