import type { GenerateBody } from '@platen/domain/generation/generation.ts'

interface NamedExample {
  summary: string
  value: GenerateBody
}

const chart = `<!doctype html>
<html lang="en"><title>Sales</title><h1>Sales</h1><canvas id="chart" width="300" height="100"></canvas>
<script>
  const canvas = document.getElementById('chart').getContext('2d')
  const sales = [20, 60, 90]
  sales.forEach((height, at) => canvas.fillRect(at * 100, 100 - height, 80, height))
  window.chartReady = true
</script>`

/** Examples of the request body in the OpenAPI document. Each succeeds when it is sent, also without the internet. */
export const generateExamples: Record<string, NamedExample> = {
  inline: {
    summary: 'Inline HTML with data',
    value: { html: '<h1>Hello {{name}}</h1>', data: { name: 'Ada' } },
  },
  chart: {
    summary: 'A chart drawn by a script',
    value: { html: chart, options: { wait_for: { expression: 'window.chartReady === true' }, outline: true } },
  },
  async: {
    summary: 'Asynchronously, with page numbers',
    value: {
      html: '<h1>Invoice {{number}}</h1>{{#each lines}}<p>{{text}}: {{amount}}</p>{{/each}}',
      data: { number: 'R-1001', lines: [{ text: 'Work', amount: 120 }] },
      options: {
        format: 'A4',
        margin: { top: 25, bottom: 20 },
        footer_html: '<span class="pageNumber"></span> / <span class="totalPages"></span>',
      },
      async: true,
    },
  },
}
