import t from 'tap'
import { changesOf, type Fields, fieldText, withFieldText } from '../model/fields.ts'
import { mergeOf } from './merge.ts'

const base: Fields = {
  ...{ name: 'N', html: 'body', header_html: 'head', footer_html: '', sample_data: '{\n  "a": 1\n}', samples: {} },
  ...{ options: { format: 'A4' }, data_schema: '', helpers: '' },
  ...{ translations: '', partials: {} },
}

t.test('a field that one side has changed is taken from it; one that both have changed is open', async (t) => {
  const theirs = { ...base, html: 'theirs', header_html: 'theirs' }
  const mine = { ...base, html: 'mine', options: { format: 'A5' } }
  const { texts, open } = mergeOf(base, theirs, mine)
  t.same(open, ['html'])
  t.match(texts, { html: 'mine', header_html: 'theirs', options: /A5/ })
  t.notOk('footer_html' in texts)
  t.same(mergeOf(base, mine, mine), { texts: {}, open: [] }, 'both have done the same')
})

t.test('a save sends what has changed, and removes what is empty', async (t) => {
  const after = { ...base, header_html: '', options: {}, samples: { long: '{"a": 2}' }, sample_data: '{ "a": 1 }' }
  t.same(changesOf(base, after), {
    ...{ header_html: null, options: null, samples: { long: { a: 2 } }, sample_data: { a: 1 } },
  })
  t.same(changesOf(base, base), {})
  t.same(withFieldText(base, 'options', '{"format": "A3"}').options, { format: 'A3' })
  t.throws(() => withFieldText(base, 'options', '{'), SyntaxError)
})

t.test('data are saved and merged with the digits that were typed', async (t) => {
  const id = '9007199254740993'
  const after = { ...base, sample_data: `{"id": ${id}}`, samples: { long: `{"id": ${id}}` } }
  t.equal(JSON.stringify(changesOf(base, after)), `{"sample_data":{"id":${id}},"samples":{"long":{"id":${id}}}}`)
  t.match(fieldText(after, 'samples'), id)
  t.match(withFieldText(base, 'samples', fieldText(after, 'samples')).samples.long, id)
})
