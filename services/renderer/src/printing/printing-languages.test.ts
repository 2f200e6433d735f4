import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { type ReadRun, readPdf } from '../../../../test/support/read-pdf.ts'

const printer = await openTestPrinter()
t.teardown(() => printer[Symbol.asyncDispose]())

const bothLanes = ['off', 'on'] as const

/** With Debian's Noto fonts; where others are installed too, which of those is taken is the machine's choice. */
const scripts: [name: string, html: string, text: RegExp, font: RegExp][] = [
  ['emoji', '🎉 👍🏽', /🎉.*👍🏽/u, /^NotoColorEmoji$/],
  ['a family of emoji that are joined', '👩‍👩‍👧', /👩/u, /^NotoColorEmoji$/],
  ['Chinese', '<span lang=zh-CN>中文排版</span>', /中文排版/, /CJK/],
  ['Japanese', '<span lang=ja>ひらがな</span>', /ひらがな/, /CJK/],
  ['Korean', '<span lang=ko>한국어</span>', /한국어/, /CJK/],
  ['Greek and Cyrillic', 'Ελληνικά Русский', /ΕλληνικάРусский/, /./],
  ['Devanagari', 'हिन्दी', /ह/, /Devanagari/],
  ['Thai', 'ภาษาไทย', /ภาษา/, /Thai/],
]

t.test('letters of many scripts are printed, in fonts that have them', async (t) => {
  for (const javascript of bothLanes) {
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

t.test('right to left: from the right edge, and in visual order', async (t) => {
  for (const javascript of bothLanes) {
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
    t.equal([...letters].sort().join(''), [...'مرحبا'].sort().join(''), 'every letter, in its joined shape or not')
  }
})

t.test('letters of Arabic are joined', async (t) => {
  const html = (text: string) => `<style>p{font-size:40px;display:inline-block}</style><p dir=rtl lang=ar>${text}</p>`
  const widthOf = async (text: string) => {
    const [page] = await readPdf((await printer.printHtml(html(text))).pdf)
    const runs = page?.runs ?? []
    return Math.max(...runs.map(({ rightMm }) => rightMm)) - Math.min(...lefts(runs))
  }
  // A non-joiner between the letters keeps each in its isolated, wider shape.
  t.ok((await widthOf('ببببب')) < (await widthOf([...'ببببب'].join('\u200c'))) * 0.8)
})
