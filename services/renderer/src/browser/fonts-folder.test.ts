import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ttf } from '@platen/test-support/asset-files.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { useFonts } from './fonts-folder.ts'

const [family, other] = ['Liberation Sans', 'Librelation Xyz']

/** The font under a name that no other has. */
function renamed(): Buffer {
  const text = ttf.toString('latin1')
  const wide = (name: string) => [...name].map((character) => `\0${character}`).join('')
  return Buffer.from(text.replaceAll(family, other).replaceAll(wide(family), wide(other)), 'latin1')
}

t.test('the fonts of a folder are used in documents, headers and footers', async (t) => {
  const folder = join(t.testdir({}), 'a & b')
  await mkdir(folder)
  await writeFile(join(folder, 'brand.ttf'), renamed())
  const text = `<p style="font-family: '${other}'">Text`
  const print = async () => {
    await using printer = await openTestPrinter()
    const { pdf } = await printer.printHtml('<p>x', { margin: { top: 30 } }, { headerHtml: text })
    const document = await printer.printHtml(text)
    return [pdf, document.pdf].map(async (bytes) => (await readPdf(bytes))[0]?.fonts.join())
  }
  const before = process.env.FONTCONFIG_FILE
  for (const fonts of await print()) t.notMatch(await fonts, 'BoldItalic')
  {
    await using _ = await useFonts(folder)
    for (const fonts of await print()) t.match(await fonts, 'LiberationSans-BoldItalic')
  }
  t.equal(process.env.FONTCONFIG_FILE, before)
})

t.test('a folder that does not exist is an error', async (t) => {
  await t.rejects(useFonts('/nonexistent/fonts', {}), { message: 'FONTS_DIR: there is no folder /nonexistent/fonts' })
})
