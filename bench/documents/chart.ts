import type { BenchDocument } from './document.ts'
import { randomNumbers } from './random.ts'

/** A page with a chart that a script draws. */
export function chart(): BenchDocument {
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
