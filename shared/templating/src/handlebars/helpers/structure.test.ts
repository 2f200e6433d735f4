import t from 'tap'
import { rendered } from '../testing/rendered.ts'

t.test('repeat', async (t) => {
  t.equal(
    rendered('{{#repeat 2}}{{a}}{{@index}}{{@first}}{{@last}} {{/repeat}}', { a: 'x' }),
    'x0truefalse x1falsetrue ',
  )
  t.equal(rendered('{{#repeat 2}}{{#repeat 2}}{{@../index}}{{@index}} {{/repeat}}{{/repeat}}'), '00 01 10 11 ')
  t.equal(rendered('{{#repeat missing}}x{{else}}none{{/repeat}}{{#repeat 0}}x{{/repeat}}'), 'none')
  t.equal(rendered('{{#repeat 10000}}x{{/repeat}}').length, 10_000)
  t.throws(() => rendered('{{#repeat 10001}}x{{/repeat}}'), {
    message: /repeat: the number of times must be .* 0 to 10000, not 10001/,
  })
  t.throws(() => rendered('{{#repeat "many"}}x{{/repeat}}'), { message: /repeat: "many" is not a number/ })
  t.throws(() => rendered('{{repeat 3}}'), {
    message: /repeat is a block helper: write \{\{#repeat …\}\}…\{\{\/repeat\}\}/,
  })
})

t.test('chunk and group', async (t) => {
  t.equal(rendered('{{count (chunk items 2)}}{{count (chunk missing 2)}}', { items: [1, 2, 3, 4] }), '20')
  t.throws(() => rendered('{{#each (chunk items 0)}}{{/each}}', { items: [] }), { message: /chunk: the size must be/ })
  const items = [{ k: 1 }, {}, { k: '1' }]
  t.equal(rendered('{{#each (group items "k")}}[{{key}}:{{count items}}]{{/each}}', { items }), '[1:2][:1]')
})
