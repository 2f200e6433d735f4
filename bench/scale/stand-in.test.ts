import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { countPages } from '../../services/renderer/src/pdf/page-count.ts'
import { startPlaten } from '../../test/support/platen.ts'
import { readPdf } from '../../test/support/read-pdf.ts'
import { invoiceData, invoiceSource } from '../documents/invoice.ts'
import { standInPdf } from './stand-in-pdf.ts'
import { writeStandIn } from './write-stand-in.ts'

t.setTimeout(180_000)

t.test('the PDF has the size that was asked for, and is one that readers open', async (t) => {
  for (const bytes of [1_024, 9_999, 10_000, 100_003]) {
    const pdf = standInPdf(bytes)
    t.equal(pdf.byteLength, bytes)
    t.equal(countPages(pdf), 1)
    t.equal((await readPdf(pdf)).length, 1)
  }
})

t.test('a renderer prints an invoice with the stand-in, which takes the time that was asked for', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-stand-in-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const chromium = await writeStandIn(folder, { ms: 400, bytes: 20_000 })
  await using platen = await startPlaten({ CHROMIUM_PATH: chromium })
  const { body: template } = await platen.json<{ id: string }>('/v1/templates', {
    body: { name: 'Invoice', html: invoiceSource },
  })
  const before = performance.now()
  const response = await platen.request('/v1/generate', {
    body: { template: template.id, data: invoiceData() },
    headers: { accept: 'application/pdf' },
  })
  t.equal(response.status, 200)
  t.ok(performance.now() - before >= 400)
  const pdf = Buffer.from(await response.arrayBuffer())
  t.ok(
    pdf.byteLength >= 20_000 && pdf.byteLength < 21_000,
    `${pdf.byteLength} bytes, with the language of the document`,
  )
  t.equal((await readPdf(pdf)).length, 1)
})
