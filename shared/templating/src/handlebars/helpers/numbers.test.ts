import t from 'tap'
import { rendered } from '../testing/rendered.ts'

t.test('numbers are formatted for the locale', async (t) => {
  t.equal(rendered('{{formatNumber "1234567.891"}}'), '1,234,567.891')
  t.equal(
    rendered('{{formatNumber 1.005 decimals=2}} {{formatNumber 2 decimals=0}} {{formatNumber -0.4 decimals=1}}'),
    '1.01 2 -0.4',
  )
  t.equal(rendered('{{formatCurrency 5 currency="usd" locale="en-GB"}}'), 'US$5.00')
  t.equal(rendered('{{formatCurrency 5 "JPY" locale="ja-JP"}} {{formatCurrency 5 decimals=0}}'), '￥5 €5')
  t.equal(rendered('{{formatPercent 1.5}}'), '150%')
})

t.test('absent values render nothing, invalid ones are refused', async (t) => {
  t.equal(rendered('[{{formatNumber a}}{{formatCurrency b}}{{formatPercent c}}]', { a: null, b: '' }), '[]')
  const refused = (template: string, message: RegExp) =>
    t.throws(() => rendered(template, { o: { a: 1 } }), { code: 'TEMPLATE_RENDER_ERROR', message }, template)
  refused('{{formatCurrency "abc"}}', /formatCurrency: "abc" is not a number, in/)
  refused('{{formatCurrency 1 "EURO"}}', /"EURO" is not a currency code/)
  refused('{{formatNumber o}}', /\{"a":1\} is not a number/)
  refused('{{formatNumber true}}', /true is not a number/)
  refused('{{formatNumber 1 decimals=21}}', /decimals must be a whole number from 0 to 20, not 21/)
  refused('{{formatNumber 1 locale="e"}}', /locale "e" is not a language tag/)
})
