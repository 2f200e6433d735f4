import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { chart } from './chart.ts'
import type { BenchDocument } from './document.ts'
import { invoiceData, invoiceSource } from './invoice.ts'
import { label } from './label.ts'
import { report } from './report.ts'
import { table } from './table.ts'

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
