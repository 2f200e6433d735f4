import t from 'tap'
import { rendered } from '../testing/rendered.ts'

t.test('text helpers', async (t) => {
  t.equal(
    rendered('{{uppercase "ß"}}{{lowercase "ÄÖ"}}{{capitalize "ǆ"}}{{capitalize "😀a"}}{{uppercase 5}}'),
    'SSäöǄ😀a5',
  )
  t.equal(
    rendered('[{{uppercase missing}}{{capitalize ""}}{{truncate missing 3}}{{join missing}}{{concat missing null}}]'),
    '[]',
  )
  t.equal(
    rendered('{{truncate "abc" 3}}{{truncate "abcd" 3 "..."}}{{truncate "abc" 0}}{{truncate "ňěů" 2}}'),
    'abcabc...…ňě…',
  )
  t.equal(rendered('{{join list "; "}} {{join list ""}}', { list: [1, 'a', null, true] }), '1; a; ; true 1atrue')
  t.equal(rendered('{{count (split "a,b ,c")}}{{count (split "a b" " ")}}{{count (split missing)}}'), '320')
  t.equal(rendered('{{default missing "x"}}{{default 0 "x"}}{{default false "x"}}'), 'x0false')
})

t.test('HTML stays escaped', async (t) => {
  const data = { text: '<b>&"\'\r\n`=' }
  t.equal(rendered('{{nl2br text}}', data), '&lt;b&gt;&amp;&quot;&#x27;<br>\n&#x60;&#x3D;')
  t.equal(rendered('{{uppercase text}}{{concat text}}', { text: '<i>' }), '&lt;I&gt;&lt;i&gt;')
  t.equal(
    rendered('{{concat (nl2br text) "!"}}', { text: 'a\nb' }),
    'a&lt;br&gt;\nb!',
    'only the outermost result is unescaped',
  )
  t.equal(rendered('{{json text}}', { text: '"' }), '&quot;\\&quot;&quot;')
  t.equal(
    rendered('<script>{{{json text}}}</script>', { text: '</script>\u2028' }),
    '<script>"\\u003c/script\\u003e\\u2028"</script>',
  )
  t.equal(rendered('{{{json o indent=2}}}{{json missing}}', { o: { a: 1 } }), '{\n  "a": 1\n}null')
})

t.test('values that are not strings are refused', async (t) => {
  const refused = (template: string, message: RegExp) =>
    t.throws(
      () => rendered(template, { o: { a: 1 }, x: { toHTML: 1 } }),
      { code: 'TEMPLATE_RENDER_ERROR', message },
      template,
    )
  refused('{{uppercase o}}', /uppercase: \{"a":1\} is not a string/)
  refused('{{uppercase x}}', /is not a string/)
  refused('{{truncate "a" "b"}}', /truncate: "b" is not a number/)
  refused('{{join "a"}}', /join: "a" is not a list/)
  refused(`{{count (split "${'a,'.repeat(10_001)}")}}`, /split: the text has more than 10000 parts/)
})
