import type { GenerateBody } from '@platen/shared/contracts/generation.ts'

interface NamedExample {
  summary: string
  value: GenerateBody
}

/** Examples of the request body in the OpenAPI document. */
export const generateExamples: Record<string, NamedExample> = {
  inline: {
    summary: 'Inline HTML with data',
    value: { html: '<h1>Hello {{name}}</h1>', data: { name: 'Ada' } },
  },
  chart: {
    summary: 'A chart drawn by a script',
    value: {
      html: '<title>Report</title><h1>Sales</h1><canvas id="chart"></canvas><script src="https://example.com/chart.js"></script>',
      options: { wait_for: { expression: 'window.chartReady === true' }, outline: true, fail_on: ['RESOURCE_FAILED'] },
    },
  },
  template: {
    summary: 'A stored template, asynchronously, with a webhook',
    value: {
      template: 'monthly-invoice',
      template_version: 2,
      data: { number: 'R-1001', lines: [{ text: 'Work', amount: 120 }] },
      options: {
        format: 'A4',
        margin: { top: 25, bottom: 20 },
        footer_html: '<span class="pageNumber"></span> / <span class="totalPages"></span>',
      },
      async: true,
      webhook_url: 'https://example.com/hooks/platen',
    },
  },
}
