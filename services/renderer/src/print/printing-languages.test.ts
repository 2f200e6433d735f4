import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { type ReadRun, readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const bothModes = ['off', 'on'] as const

/** With Debian's Noto fonts. If others are installed too, the machine chooses among them. */
const scripts: [name: string, html: string, text: RegExp, font: RegExp][] = [
  ['emoji', '🎉 👍🏽', /🎉.*👍🏽/u, /^NotoColorEmoji$/],
  ['joined emoji', '👩‍👩‍👧', /👩/u, /^NotoColorEmoji$/],
  ['Chinese', '<span lang=zh-CN>中文排版</span>', /中文排版/, /CJK/],
  ['Japanese', '<span lang=ja>ひらがな</span>', /ひらがな/, /CJK/],
  ['Korean', '<span lang=ko>한국어</span>', /한국어/, /CJK/],
  ['Greek and Cyrillic', 'Ελληνικά Русский', /ΕλληνικάРусский/, /./],
  ['Devanagari', 'हिन्दी', /ह/, /Devanagari/],
  ['Thai', 'ภาษาไทย', /ภาษา/, /Thai/],
]

t.test('letters of many scripts are printed in fonts that have them', async (t) => {
  for (const javascript of bothModes) {
    for (const [name, html, text, font] of scripts) {
      const { pdf, warnings } = await printer.printHtml(`<p>${html}</p>`, { javascript })
      const [page] = await readPdf(pdf)
      t.match(page?.text.normalize('NFKC').replaceAll(' ', ''), text, name)
      t.ok(
        page?.fonts.some((one) => font.test(one)),
        `${name}: ${page?.fonts}`,
      )
      t.same(warnings, [], name)
    }
  }
})

const lefts = (runs: ReadRun[]) => runs.map(({ leftMm }) => leftMm)

t.test('text from right to left starts at the right edge, in visual order', async (t) => {
  for (const javascript of bothModes) {
    const html = '<p dir=rtl>אלף <span>בית</span> 123</p><p dir=rtl lang=ar>مرحبا</p>'
    const [page] = await readPdf((await printer.printHtml(html, { javascript })).pdf)
    const runs = page?.runs ?? []
    const [alef, bet, digits] = ['אלף', 'בית', '123'].map((text) => runs.find((run) => run.text.includes(text)))
    t.ok(alef && bet && digits && alef.leftMm > bet.leftMm && bet.leftMm > digits.leftMm, JSON.stringify(runs))
    // 210 mm less the margin of 15 and the body's own of 8 pixels.
    t.ok(Math.max(...runs.map(({ rightMm }) => rightMm)) > 185)
    t.ok(Math.min(...lefts(runs)) > 150)
    const arabic = runs.filter(({ text }) => /\p{Script=Arabic}/u.test(text))
    const letters = arabic.map(({ text }) => text.normalize('NFKC')).join('')
    t.equal([...letters].sort().join(''), [...'مرحبا'].sort().join(''), 'every letter, joined or not')
  }
})

t.test('Arabic letters are joined', async (t) => {
  const html = (text: string) => `<style>p{font-size:40px;display:inline-block}</style><p dir=rtl lang=ar>${text}</p>`
  const widthOf = async (text: string) => {
    const [page] = await readPdf((await printer.printHtml(html(text))).pdf)
    const runs = page?.runs ?? []
    return Math.max(...runs.map(({ rightMm }) => rightMm)) - Math.min(...lefts(runs))
  }
  // Letters with a non-joiner between them keep their isolated, wider shape.
  t.ok((await widthOf('ببببب')) < (await widthOf([...'ببببب'].join('\u200c'))) * 0.8)
})
