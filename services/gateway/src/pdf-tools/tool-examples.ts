/** A PDF of one page with a form field (ISO 32000-2, 12.7), in Base64: the source of the examples. */
export const examplePdf = Buffer.from(
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DA(/F 12 Tf 0 g)/DR<</Font<</F 5 0 R>>>>>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Annots[4 0 R]>>',
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/P 3 0 R/Rect[20 40 180 60]/DA(/F 12 Tf 0 g)/F 4>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]),
  'latin1',
).toString('base64')

/** A PDF of one empty page, in Base64. */
const emptyPdf = Buffer.from(
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
  ]),
  'latin1',
).toString('base64')

/** The body of each operation. Each succeeds when it is sent, but for that of `sign`, which needs a key of the deployment. */
export const toolExamples: Readonly<Record<string, object>> = {
  merge: { sources: [source(), source()], outline: true, titles: ['Offer', 'Terms'] },
  split: { source: source(), every: 1 },
  stamp: { source: source(), stamps: [{ text: 'DRAFT', rotation: 45, opacity: 0.3 }] },
  protect: { source: source(), protect: { user_password: 'secret', permissions: { extract: false } } },
  unlock: { source: source() },
  attach: {
    source: source(),
    attachments: [{ name: 'order.xml', media_type: 'text/xml', content_base64: 'PG9yZGVyLz4=' }],
  },
  metadata: { source: source(), pdf_metadata: { title: 'Offer 4711', custom: { Order: '4711' } } },
  flatten: { source: source() },
  rotate: { source: source(), degrees: 90 },
  optimize: { source: source() },
  convert: { source: { content_base64: emptyPdf }, conformance: { pdf_a: '3b' } },
  sign: { source: source(), sign: { key: 'office', reason: 'Approved' } },
  images: { source: source(), images: { format: 'png', width: 300 } },
  fill: { source: source(), fields: { name: 'Ada' } },
}

function source() {
  return { content_base64: examplePdf }
}

/** A file with these objects, the first of which is the catalog (ISO 32000-2, 7.5). */
function pdfOf(objects: readonly string[]): string {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
}
