import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ttf } from '@platen/test-support/asset-files.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../../test/support/read-pdf.ts'
import { programEnvironment } from './environment.ts'
import { openFonts } from './fonts-folder.ts'

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
  const machine = programEnvironment(process.env)
  const print = async (environment = machine) => {
    await using printer = await openTestPrinter({ environment })
    const { pdf } = await printer.printHtml('<p>x', { margin: { top: 30 } }, { headerHtml: text })
    const document = await printer.printHtml(text)
    return [pdf, document.pdf].map(async (bytes) => (await readPdf(bytes))[0]?.fonts.join())
  }
  for (const fonts of await print()) t.notMatch(await fonts, 'BoldItalic')
  await using opened = await openFonts(folder, machine)
  for (const fonts of await print(opened.environment)) t.match(await fonts, 'LiberationSans-BoldItalic')
})

t.test('a folder that does not exist is an error', async (t) => {
  await t.rejects(openFonts('/nonexistent/fonts', {}), { message: 'FONTS_DIR: there is no folder /nonexistent/fonts' })
})
