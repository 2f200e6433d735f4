import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { chart } from './chart.ts'
import type { BenchDocument } from './document.ts'
import { invoiceData, invoiceSource } from './invoice.ts'
import { label } from './label.ts'
import { randomNumbers } from './random.ts'
import { report } from './report.ts'
import { phrase } from './words.ts'

const pages = 100
const rowsPerPage = 25

/** A long list. Nearly all of the time is spent on printing. */
function table(): BenchDocument {
  const random = randomNumbers(4)
  const rows = Array.from({ length: pages * rowsPerPage }, (_, index) => {
    const cells = [index + 1, phrase(random, 3), (random() * 1_000).toFixed(2), (random() * 1_000).toFixed(2)]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Table</title><style>
@page { size: A4; margin: 10mm }
body { font: 10px/1 sans-serif; margin: 0 }
table { width: 100%; border-collapse: collapse }
tr { height: 10.4mm; break-inside: avoid }
td, th { border-bottom: 1px solid #ccc; text-align: left }
</style></head><body><table><thead><tr><th>#</th><th>Name</th><th>In</th><th>Out</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></body></html>`
  return { name: 'table', what: '100 pages, one table', html, scripted: false }
}

/** The documents have the same bytes in each run. */
export async function benchDocuments(): Promise<BenchDocument[]> {
  return [label(), await invoice(), await report(), table(), chart()]
}

export async function invoice(): Promise<BenchDocument & Required<Pick<BenchDocument, 'template'>>> {
  await using engine = openTemplateEngine({ workers: 1 })
  const template = { source: invoiceSource, data: invoiceData() }
  const { texts } = await engine.render({ sources: { html: template.source }, data: template.data })
  return {
    name: 'invoice',
    what: 'one page, a 40-row table and an inline SVG',
    html: texts.html ?? '',
    scripted: false,
    template,
  }
}
