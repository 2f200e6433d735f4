import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { WarningCode } from '@platen/foundation/errors/warning.ts'
import t from 'tap'
import { root } from './code-blocks.ts'

/** The text of the first cells of all tables of a page. */
const firstCells = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^\| (.+?) \|/gm)].map(([, cell]) => cell).join('\n')

t.test('docs/api.md lists every option and every warning', async (t) => {
  const cells = firstCells('docs/api.md')
  for (const name of [...Object.keys(PdfOptions.properties), ...WarningCode.enum]) t.match(cells, `\`${name}\``)
})
