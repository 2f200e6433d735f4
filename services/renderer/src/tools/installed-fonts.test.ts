import { spawnSync } from 'node:child_process'
import t from 'tap'
import { drawnTexts } from './drawn-texts.ts'
import { InstalledFonts } from './installed-fonts.ts'

const list = spawnSync('fc-list', ['--format', '%{family}\n'], { encoding: 'utf8' })
const lacks = (family: string) => (list.stdout?.includes(family) ? false : `there is no font ${family}`)
const fonts = new InstalledFonts({ PATH: process.env.PATH ?? '' })

t.test(
  'each text has a font with its characters, and each font is read once',
  { skip: lacks('Liberation Sans') },
  async (t) => {
    const found = await fonts.of(['DRAFT', 'Copy', ' '])
    t.match(found, [{ name: 'LiberationSans', index: 0 }])
    t.equal(found.length, 1)
    t.ok((found[0]?.bytes.byteLength ?? 0) > 10_000)
  },
)

t.test('a font of a collection is found by its number', { skip: lacks('Noto Sans CJK') }, async (t) => {
  t.match(await fonts.of(['社外秘']), [{ name: /CJK/, index: Number }])
})

t.test('without fontconfig there are no fonts', async (t) => {
  t.strictSame(await new InstalledFonts({ PATH: '/nowhere' }).of(['DRAFT']), [])
})

t.test('the texts have what page numbers and times may have', async (t) => {
  t.strictSame(drawnTexts({ stamps: [{ text: 'Page {{page}}' }, { asset: 'a.png' }] }), ['Page 0123456789'])
  t.strictSame(drawnTexts({ sign: { key: 'k' } }, 'Ada'), [])
  const visible = { x: 1, y: 1, width: 50, height: 20 }
  t.match(drawnTexts({ sign: { key: 'k', reason: 'Done', visible } }, 'Ada'), [/Signed by Ada.*UTC.*Done/])
  t.strictSame(drawnTexts({ sign: { key: 'k', visible: { ...visible, text: 'OK' } } }, 'Ada'), ['OK'])
})
