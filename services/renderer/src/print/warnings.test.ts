import t from 'tap'
import { programEnvironment } from '../chromium/browser/environment.ts'
import { shownUrl, whyBroken, whyFailed } from './describe-resource.ts'
import { missingGlyphsOf, parseCharsets } from './missing-glyphs.ts'
import { collectWarnings } from './warnings.ts'

const codes = ['RESOURCE_FAILED', 'CONSOLE_ERROR', 'MISSING_GLYPHS', 'MARGIN_OVERFLOW', 'PAGE_NUMBERS'] as const

t.test('at most 60 warnings of 500 characters each, each message once', async (t) => {
  const warnings = collectWarnings()
  for (let i = 0; i < 100; i++) {
    for (const code of codes) {
      warnings.add(code, `${i} ${'🎉'.repeat(1_000)}`)
      warnings.add(code, 'the same')
    }
  }
  const list = warnings.list()
  t.equal(list.length, 60)
  t.ok(list.every(({ message }) => message.length <= 500 && message.isWellFormed()))
  t.equal(list.filter(({ message }) => message === 'the same').length, 4)
  t.equal(new Set(list.map(({ code }) => code)).size, codes.length, 'each code has its own maximum')
})

t.test('control characters are replaced with spaces', async (t) => {
  const warnings = collectWarnings()
  warnings.add('CONSOLE_ERROR', ' a\u001b[31m\r\nb\u2028c\u0000 ')
  t.strictSame(warnings.list(), [{ code: 'CONSOLE_ERROR', message: 'a [31m b c' }])
})

t.test('URLs are shortened and have no credentials', async (t) => {
  t.equal(shownUrl('https://me:secret@example.com/a@b'), 'https://example.com/a@b')
  t.equal(shownUrl(`https://example.com/${'x'.repeat(1e6)}`).length, 200)
  t.equal(shownUrl(`data:image/png;base64,${'A'.repeat(1e6)}`).length, 48)
})

t.test('the reason of the proxy comes first, then the error of the browser', async (t) => {
  const noRefusals = { refusalReason: () => undefined }
  const why = (text: string) => whyFailed('https://example.com/', { text, category: undefined }, noRefusals)
  t.equal(why('Failed to load resource: the server responded with a status of 404 ()'), 'not found (404)')
  t.equal(why('Failed to load resource: net::ERR_TUNNEL_CONNECTION_FAILED'), 'cannot be reached')
  t.equal(why('Failed to load resource: net::ERR_CONNECTION_TIMED_OUT'), 'timed out')
  t.equal(why('Failed to load resource: net::ERR_OF_ANOTHER_YEAR'), 'cannot be loaded')
  t.equal(whyBroken('https://example.com/', { refusalReason: () => 'refused' }), 'refused')
})

t.test('the charsets of fc-list become a set of code points', async (t) => {
  const coverage = parseCharsets('20-7e a0\n20-7e 1f600-1f602\n\n')
  const has = (code: number) => ((coverage[code >> 3] ?? 0) & (1 << (code & 7))) !== 0
  for (const code of [0x20, 0x7e, 0xa0, 0x1f600, 0x1f602]) t.ok(has(code), code.toString(16))
  for (const code of [0, 0x1f, 0x7f, 0x9f, 0xa1, 0x1f5ff, 0x1f603]) t.notOk(has(code), code.toString(16))
})

t.test('characters without a glyph are not reported as missing', async (t) => {
  const missingGlyphs = missingGlyphsOf(programEnvironment(process.env))
  t.equal(await missingGlyphs(''), undefined)
  t.equal(await missingGlyphs('a\ufff0\u{e0fff}\u0007 \u00a0'), undefined)
  t.match(await missingGlyphs('a\u0378\ufff0'), /^no installed font has U\+0378 \(\u0378\)$/)
})
