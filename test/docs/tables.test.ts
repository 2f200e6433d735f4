import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { WarningCode } from '@platen/foundation/errors/warning.ts'
import t from 'tap'
import { root } from './code-blocks.ts'

/** The text of the first cells of all tables of a page. */
const firstCells = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^\| (.+?) \|/gm)].map(([, cell]) => cell).join('\n')

t.test('docs/reference/options.md lists every option, and docs/guides/warnings.md every warning', async (t) => {
  const [options, warnings] = ['docs/reference/options.md', 'docs/guides/warnings.md'] as const
  for (const name of Object.keys(PdfOptions.properties))
    t.ok(firstCells(options).includes(`\`${name}\``), `${options}: the table has a row for \`${name}\``)
  for (const code of WarningCode.enum)
    t.ok(firstCells(warnings).includes(`\`${code}\``), `${warnings}: the table has a row for \`${code}\``)
})
