import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'

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

/** A page with a chart that a script draws. */
function chart(): BenchDocument {
  const random = randomNumbers(5)
  const series = Array.from({ length: 3 }, () => Array.from({ length: 48 }, () => Math.round(random() * 1_000)))
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chart</title><style>
body { font: 12px sans-serif } svg { width: 100%; height: 120mm }
</style></head><body><h1>Shipments by week</h1><svg id="chart" viewBox="0 0 960 400"></svg><table id="sums"></table><script>
const series = ${JSON.stringify(series)}
const colours = ['#155e75', '#b45309', '#4d7c0f']
const add = (parent, name, attributes, text) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const key in attributes) node.setAttribute(key, attributes[key])
  if (text !== undefined) node.textContent = text
  parent.append(node)
}
const svg = document.getElementById('chart')
for (let y = 0; y <= 1000; y += 250) {
  add(svg, 'line', { x1: 40, x2: 960, y1: 380 - y * 0.36, y2: 380 - y * 0.36, stroke: '#ddd' })
  add(svg, 'text', { x: 0, y: 384 - y * 0.36, 'font-size': 12 }, y)
}
series.forEach((values, index) => {
  const points = values.map((value, week) => (40 + week * 19) + ',' + (380 - value * 0.36)).join(' ')
  add(svg, 'polyline', { points, fill: 'none', stroke: colours[index], 'stroke-width': 2 })
  values.forEach((value, week) => add(svg, 'circle', { cx: 40 + week * 19, cy: 380 - value * 0.36, r: 3, fill: colours[index] }))
  const row = document.getElementById('sums').insertRow()
  row.insertCell().textContent = 'Line ' + (index + 1)
  row.insertCell().textContent = values.reduce((sum, value) => sum + value, 0)
})
</script></body></html>`
  return { name: 'chart', what: 'one page, a chart drawn by its script', html, scripted: true }
}
