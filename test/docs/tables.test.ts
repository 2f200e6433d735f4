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
  for (const name of Object.keys(PdfOptions.properties))
    t.ok(cells.includes(`\`${name}\``), `docs/api.md: the table of options has a row for \`${name}\``)
  for (const code of WarningCode.enum)
    t.ok(cells.includes(`\`${code}\``), `docs/api.md: the table of warnings has a row for \`${code}\``)
})
