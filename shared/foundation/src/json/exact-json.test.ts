import t from 'tap'
import { markIntegers, parseExact, stringifyExact, withRawIntegers } from './exact-json.ts'

t.test('integers of any size are read and written as they are', async (t) => {
  for (const text of [
    '[12345678901234567890]',
    '{"a":{"b":[9007199254740993,-9007199254740993,1]}}',
    '{"id":9007199254740992}',
    `[${'9'.repeat(300)}]`,
    '{"text":"12345678901234567890"}',
    '[9007199254740991,-9007199254740991,0]',
    '{"12345678901234567890":"a: 12345678901234567890, \\\\\\"[12345678901234567890]","b":[12345678901234567890]}',
    '12345678901234567890',
    '{"__proto__":12345678901234567890}',
  ]) {
    t.equal(stringifyExact(parseExact(text)), text)
    t.equal(JSON.stringify(withRawIntegers(parseExact(text))), text)
  }
  t.same(parseExact('[9007199254740991,9007199254740993]'), [9007199254740991, 9007199254740993n])
})

t.test('an integer is found wherever it is in the text', async (t) => {
  for (let spaces = 0; spaces < 40; spaces++) {
    t.same(parseExact(`${' '.repeat(spaces)}[9007199254740993]`), [9007199254740993n])
  }
  const shorter = '123456789012345-'.repeat(100)
  t.same(parseExact(`["${shorter}",9007199254740993]`), [shorter, 9007199254740993n])
})

t.test('other numbers keep the meaning that they have in JavaScript', async (t) => {
  t.same(parseExact('[0.12345678901234567890,1e21,12345678901234567890.5,1234567890123456789e0]'), [
    Number('0.1234567890123456789'),
    1e21,
    Number('12345678901234567890.5'),
    Number('1234567890123456789e0'),
  ])
  t.same(parseExact(`[${'9'.repeat(400)},1234567890123456789e400]`), [Infinity, Infinity])
})

t.test('a text that is not JSON is refused with the message about it', (t) => {
  for (const text of [
    '[012345678901234567890]',
    '[12345678901234567890',
    '[-]12345678901234567890',
    '12345678901234567890 "',
    '1 12345678901234567890',
  ]) {
    const expected = t.throws(() => JSON.parse(text)) as Error
    t.throws(() => parseExact(text), { message: expected.message })
  }
  t.end()
})

t.test('the integers to convert can be limited; digits in strings and small integers do not count', async (t) => {
  const large = '12345678901234567890'
  const others = `"${large}",1234567890123456,"\\"${large}"`
  t.type(markIntegers(`[${large},${others},${large}]`, 2), 'string')
  t.equal(markIntegers(`[${large},${others},-${large}]`, 1), undefined)
})
