import { spawnSync } from 'node:child_process'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { drawnTexts, fieldTexts } from './drawn-texts.ts'
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

t.test('a font that was removed since is looked for again, and its texts have another one or none', async (t) => {
  const folder = t.testdir({ 'a.ttf': 'A', 'b.ttf': 'B', 'fc-match': '#!/bin/sh\ncat "$(dirname "$0")/answer"\n' })
  await chmod(join(folder, 'fc-match'), 0o755)
  const answer = (name: string) => writeFile(join(folder, 'answer'), `${name}\n${join(folder, `${name}.ttf`)}\n0`)
  const installed = new InstalledFonts({ PATH: `${folder}:/usr/bin:/bin` })
  await answer('a')
  t.match(await installed.of(['DRAFT', 'Copy']), [{ name: 'a', bytes: Buffer.from('A') }])
  await rm(join(folder, 'a.ttf'))
  t.strictSame(await installed.of(['DRAFT']), [])
  await answer('b')
  t.match(await installed.of(['DRAFT']), [{ name: 'b', bytes: Buffer.from('B') }])
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

t.test('texts of fields that Helvetica cannot show need a font', (t) => {
  const filled = (fields: Record<string, string | string[] | boolean>) =>
    fieldTexts({ operation: { operation: 'fill', fields } })
  t.strictSame(filled({ a: 'Zoë – 5 €', b: true, c: ['x'] }), [])
  t.strictSame(filled({ a: 'Žluť', b: ['x', '東京'] }), ['Žluť東京', 'Žluť', '東京'])
  const options = [
    { value: 'p', text: 'Praha' },
    { value: 'b', text: 'Břeclav' },
  ]
  const common = {
    label: '',
    isReadOnly: false,
    isRequired: false,
    width: 1,
    fontSize: 1,
    color: [0, 0, 0] as [number, number, number],
  }
  const choice = { isMultiple: false, isList: false, options: options.map((one) => ({ ...one, isSelected: false })) }
  const form = { url: '', fields: [{ ...common, type: 'choice' as const, name: 'city', value: '', choice }] }
  t.strictSame(fieldTexts({ operation: { operation: 'steps' }, form }), ['Břeclav', 'Břeclav'])
  t.end()
})
