import t from 'tap'
import { placeOfPath } from './place-of-path.ts'

t.test('a path of the data has its line and column in the text', async (t) => {
  const text = JSON.stringify(
    {
      a: 'items',
      items: [
        { price: 1, tags: ['x', 'y'] },
        { name: '"{', price: 'b' },
      ],
      z: {},
    },
    null,
    2,
  )
  const lineOf = (path: string) => {
    const { line, column } = placeOfPath(text, path)
    return (text.split('\n')[line - 1] ?? '').slice(column - 1)
  }
  t.equal(lineOf('items[1].price'), '"price": "b"')
  t.equal(lineOf('items[0].tags[1]'), '"y"')
  t.equal(lineOf('items'), '"items": [')
  t.equal(lineOf('a'), '"a": "items",')
  t.equal(lineOf('z'), '"z": {}')
  t.equal(lineOf('items[1].missing'), '{', 'of what is missing, the object that lacks it')
  t.equal(lineOf('items[7].price'), '"items": [')
  t.same(placeOfPath(text, 'nothing'), { line: 1, column: 1 })
  t.same(placeOfPath('', 'a.b'), { line: 1, column: 1 })
})
