import t from 'tap'
import { changesOf, type Fields, fieldText, withFieldText } from '../model/fields.ts'
import { mergeOf } from './merge.ts'
import { type Choice, isOpen, mergedText, mergeTexts } from './text-merge.ts'

const base: Fields = {
  name: 'N',
  html: 'body',
  header_html: 'head',
  footer_html: '',
  sample_data: '{\n  "a": 1\n}',
  samples: {},
  options: { format: 'A4' },
  data_schema: '',
  helpers: '',
  translations: '',
  partials: {},
}

t.test('a field that one side has changed is taken from it; what both have changed is to be chosen', async (t) => {
  const theirs = { ...base, html: 'theirs', header_html: 'theirs' }
  const mine = { ...base, html: 'mine', options: { format: 'A5' } }
  const merge = mergeOf(base, theirs, mine)
  t.same(Object.keys(merge).sort(), ['header_html', 'html', 'options'])
  t.same(
    [merge.html, merge.header_html, merge.options].map((one) => one && isOpen(one)),
    [true, false, false],
  )
  t.equal(merge.header_html && mergedText(merge.header_html), 'theirs')
  t.match(merge.options && mergedText(merge.options), /A5/)
  t.same(mergeOf(base, mine, mine), {}, 'both have done the same')
})

t.test('a text is merged line by line, and what both have changed there is theirs, mine or both', async (t) => {
  const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('')
  const before = lines('<h1>', '<p>1', '<p>2', '<table>', '<p>3')
  const theirs = lines('<h1>', '<p>1', '<p>2', '<table class="anna">', '<p>3')
  const mine = lines('<h1 class="mine">', '<p>1', '<p>2', '<table>', '<p>3', '<p>4')
  const merged = mergeTexts(before, theirs, mine)
  t.notOk(isOpen(merged))
  t.equal(mergedText(merged), lines('<h1 class="mine">', '<p>1', '<p>2', '<table class="anna">', '<p>3', '<p>4'))
  t.equal(mergedText(mergeTexts(before, '', before)), '', 'a removal is a change')

  const clash = mergeTexts(before, theirs, before.replace('<table>', '<table class="mine">'))
  const at = clash.parts.findIndex((part) => typeof part !== 'string')
  t.ok(isOpen(clash))
  const line = (choice: Choice) =>
    mergedText({ ...clash, chosen: { [at]: choice } })
      .split('\n')
      .slice(3, -2)
  t.same(line('theirs'), ['<table class="anna">'])
  t.same(line('mine'), ['<table class="mine">'])
  t.same(line('both'), ['<table class="anna">', '<table class="mine">'])
  t.notOk(isOpen({ ...clash, chosen: { [at]: 'both' } }))
  t.equal(mergedText({ ...mergeTexts('a', 'b', 'c'), chosen: { 0: 'both' } }), 'b\nc', 'the last line has no end')
  t.equal(mergedText({ ...mergeTexts('a', '', 'c'), chosen: { 0: 'both' } }), 'c', 'a removal has no line')
})

t.test('a save sends what has changed, and removes what is empty', async (t) => {
  const after = { ...base, header_html: '', options: {}, samples: { long: '{"a": 2}' }, sample_data: '{ "a": 1 }' }
  t.same(changesOf(base, after), {
    header_html: null,
    options: null,
    samples: { long: { a: 2 } },
    sample_data: { a: 1 },
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
