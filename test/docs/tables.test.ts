import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedEvents } from '@platen/domain/catalogue/published-events.ts'
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

t.test('docs/events.md lists every published event', async (t) => {
  const text = readFileSync(join(root, 'docs/events.md'), 'utf8')
  for (const [type, subject] of Object.entries(publishedEvents)) {
    t.match(text, new RegExp(`\\| \`events\\.${subject}\\.<\\w+…>\` \\| \`${type}\` \\|`), type)
  }
})
