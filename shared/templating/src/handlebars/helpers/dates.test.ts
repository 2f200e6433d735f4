import t from 'tap'
import { rendered } from '../testing/rendered.ts'

t.test('styles and locales', async (t) => {
  const date = '2026-01-31T22:30:00Z'
  const written = (args: string) => rendered(`{{{formatDate date ${args}}}}`, { date })
  t.equal(written(''), 'Jan 31, 2026')
  t.equal(written('"short"'), '1/31/26')
  t.equal(written('style="full"'), 'Saturday, January 31, 2026')
  t.equal(written('"long" locale="cs"'), '31. ledna 2026')
  t.equal(written('"long" locale="ja-JP"'), '2026年1月31日')
  t.equal(written('timezone="Asia/Tokyo"'), 'Feb 1, 2026')
})

t.test('patterns', async (t) => {
  const written = (pattern: string, args = '') =>
    rendered(`{{{formatDate "2026-02-03T04:05:06Z" pattern ${args}}}}`, { pattern })
  t.equal(written('yyyy-MM-dd HH:mm:ss'), '2026-02-03 04:05:06')
  t.equal(written('d.M.yy H'), '3.2.26 4')
  t.equal(written("EEEE d MMMM yyyy 'at' h:mm a"), 'Tuesday 3 February 2026 at 4:05 AM')
  t.equal(written('EEE, d. MMMM', 'locale="cs"'), 'út, 3. února')
  t.equal(written("h 'o''clock' a hh", 'timezone="America/New_York"'), "11 o'clock PM 11")
  t.equal(written('yyyy/MM', 'locale="ar-EG"'), '2026/02')
  t.throws(() => written('yyyy-QQ'), { message: /formatDate: "QQ" is neither a style nor a pattern letter/ })
  t.throws(() => written('yyyyy'), { code: 'TEMPLATE_RENDER_ERROR' })
})

t.test('accepted forms of dates', async (t) => {
  const written = (date: unknown, args = '"yyyy-MM-dd HH:mm"') =>
    rendered(`{{formatDate date ${args}}}`, { date: date as string })
  t.equal(written(0), '1970-01-01 00:00')
  t.equal(written('2026-01-31T12:00'), '2026-01-31 12:00', 'UTC, whatever the server time zone')
  t.equal(written('2026-01-31 12:00:30.5'), '2026-01-31 12:00')
  t.equal(written('2026-01-31T12:00:00+02:00'), '2026-01-31 10:00')
  t.equal(written('2026-01-31T12:00:00-0330'), '2026-01-31 15:30')
  t.equal(written('2026-01-31', '"d" timezone="America/New_York"'), '31', 'a date without time has no time zone')
  for (const absent of [null, undefined, '']) t.equal(written(absent ?? null), '')
  for (const wrong of ['2026-02-31', '2026-13-01', 'tomorrow', '31.1.2026', true, {}, 1e300, '2026-01-31T25:00']) {
    t.throws(
      () => written(wrong),
      { code: 'TEMPLATE_RENDER_ERROR', message: /is not a date in ISO 8601/ },
      String(wrong),
    )
  }
  t.throws(() => written(0, 'timezone="Mars/Base"'), { message: /timezone "Mars\/Base" is not a name/ })
  t.throws(() => written(0, 'locale="d!"'), { message: /locale "d!" is not a language tag/ })
})

t.test('addDays and now', async (t) => {
  t.equal(rendered('{{addDays "2026-03-01" -1}}'), '2026-02-28')
  t.equal(rendered('{{addDays "2026-03-01T10:00:00Z" 1}}'), '2026-03-02T10:00:00.000Z')
  t.equal(rendered('{{now}} {{addDays missing 3}}'), '2026-01-31T12:00:00.000Z ')
  t.throws(() => rendered('{{addDays "2026-03-01" 1.5}}'), { message: /days must be a whole number/ })
  t.throws(() => rendered('{{addDays last 1}}', { last: 8.64e15 }), { message: /addDays: the result is out of range/ })
})
