import t from 'tap'
import { countPages, measurePdf } from './page-count.ts'

/** A PDF of numbered objects with a correct cross-reference table. */
function pdf(objects: string[], trailer = '<</Size 9 /Root 2 0 R>>'): Uint8Array {
  let text = '%PDF-1.4\n'
  const entries = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = text.length
  text += `xref\n0 1\n0000000000 65535 f \n1 ${entries.length}\n${entries.join('')}trailer\n${trailer}\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
const catalogue = '<</Type /Catalog\n/Outlines 4 0 R\n/Pages 3 0 R>>'

t.test('the count of the page tree is used, not those of texts and outlines', async (t) => {
  const decoys = ['<</Length 13>>stream\n/Count 99999\nendstream', catalogue]
  const file = pdf([...decoys, '<</Type /Pages\n/Count 7\n/Kids [5 0 R]>>', '<</Type /Outlines /Count 500>>'])
  t.equal(countPages(file), 7)
})

t.test('a PDF with an unexpected structure is an error', async (t) => {
  t.throws(() => countPages(Buffer.from('no PDF at all')), /cannot read the printed PDF/)
  t.throws(() => countPages(pdf(['<<>>', '<</Type /Catalog>>'])), /no \/Pages/)
  t.throws(() => countPages(pdf([catalogue], '<</Root 8 0 R>>')), /not in the table/)
  const stream = '1 0 obj\n<</Type /XRef /W [1 2 1] /Size 2 /Root 2 0 R>>stream\n\nendstream\nendobj\n'
  for (const body of ['', stream]) {
    const file = Buffer.from(`${body}startxref\n0\n%%EOF`)
    t.throws(() => countPages(file), /cannot read the printed PDF: no cross-reference table/)
  }
})

t.test('more pages or bytes than allowed are RENDER_LIMIT_EXCEEDED', async (t) => {
  const file = pdf(['<<>>', catalogue, '<</Count 7>>'])
  t.equal(measurePdf(file, { pages: 7, pdfBytes: file.length }), 7)
  const tooMany = { code: 'RENDER_LIMIT_EXCEEDED', message: /7 pages, at most 6/ }
  t.throws(() => measurePdf(file, { pages: 6, pdfBytes: file.length }), tooMany)
  t.throws(() => measurePdf(file, { pages: 7, pdfBytes: file.length - 1 }), { code: 'RENDER_LIMIT_EXCEEDED' })
})
