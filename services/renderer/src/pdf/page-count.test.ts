import t from 'tap'
import { withMetadata } from './metadata.ts'
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

/** Three pages with the title `/Count 99`, in object streams and with a cross-reference stream, as qpdf 12 writes it. */
const withStreams = Buffer.from(
  [
    'JVBERi0xLjUKJb/3ov4KMSAwIG9iago8PCAvVHlwZSAvT2JqU3RtIC9MZW5ndGggMTcyIC9GaWx0ZXIgL0ZsYXRlRGVjb2RlIC9OIDYgL0ZpcnN0IDMyID4+CnN0cmVhbQp4nLXQvQrC',
    'MBQF4N2nOKNOSf8bKBnsKIKUbtIh2EsplEaaFPTtTVMVwVVJuEvO+S4kBEeEKEYMwZEgyARShGmODFGSb4oC7KQ6Mi7FUYHV9yuBlcqqQXeQ0idKPY/WJdihbw3ODluyiZ+pn82ruWLv',
    '3mhptAb5ih+p7dVe3xzB3Qn8bZbSRH6BT1Vk9DxdHOMMKT/lL1j8Cw74j+W6twNh+/xLIXbLwwM39m2ICmVuZHN0cmVhbQplbmRvYmoKOCAwIG9iago8PCAvTGVuZ3RoIDAgL0ZpbHRl',
    'ciAvRmxhdGVEZWNvZGUgPj4Kc3RyZWFtCgplbmRzdHJlYW0KZW5kb2JqCjkgMCBvYmoKPDwgL0xlbmd0aCAwIC9GaWx0ZXIgL0ZsYXRlRGVjb2RlID4+CnN0cmVhbQoKZW5kc3RyZWFt',
    'CmVuZG9iagoxMCAwIG9iago8PCAvTGVuZ3RoIDAgL0ZpbHRlciAvRmxhdGVEZWNvZGUgPj4Kc3RyZWFtCgplbmRzdHJlYW0KZW5kb2JqCjExIDAgb2JqCjw8IC9UeXBlIC9YUmVmIC9M',
    'ZW5ndGggMzYgL0ZpbHRlciAvRmxhdGVEZWNvZGUgL0RlY29kZVBhcm1zIDw8IC9Db2x1bW5zIDQgL1ByZWRpY3RvciAxMiA+PiAvVyBbIDEgMiAxIF0gL0luZm8gNyAwIFIgL1Jvb3Qg',
    'MiAwIFIgL1NpemUgMTIgL0lEIFs8OTQzMjQzMGMyZWI4Njg1Y2M0NTcwZmY3MmYxMDU2NTM+PDk0MzI0MzBjMmViODY4NWNjNDU3MGZmNzJmMTA1NjUzPl0gPj4Kc3RyZWFtCnicY2IA',
    'AiZGBn4Q8YmBCchjxEr8Z5T/DWS5McAIdwYAXkIEDgplbmRzdHJlYW0KZW5kb2JqCnN0YXJ0eHJlZgo0OTkKJSVFT0YK',
  ].join(''),
  'base64',
)

t.test('a PDF with cross-reference and object streams is read', async (t) => {
  t.equal(countPages(withStreams), 3)
  t.equal(withMetadata(withStreams, { lang: 'de', author: 'Ada' }), withStreams, 'no table is appended to it')
  const cut = withStreams.subarray(0, withStreams.indexOf('/XRef'))
  t.throws(() => countPages(Buffer.concat([cut, Buffer.from('startxref\n15\n%%EOF')])), /cannot read the printed PDF/)
})

t.test('a PDF with an unexpected structure is an error', async (t) => {
  t.throws(() => countPages(Buffer.from('no PDF at all')), /cannot read the printed PDF/)
  t.throws(() => countPages(pdf(['<<>>', '<</Type /Catalog>>'])), /no \/Pages/)
  t.throws(() => countPages(pdf([catalogue], '<</Root 8 0 R>>')), /not in the table/)
  t.throws(() => countPages(Buffer.from('%PDF-1.5\nstartxref\n0\n%%EOF')), /no cross-reference table/)
})

t.test('more pages or bytes than allowed are RENDER_LIMIT_EXCEEDED', async (t) => {
  const file = pdf(['<<>>', catalogue, '<</Count 7>>'])
  t.equal(measurePdf(file, { pages: 7, pdfBytes: file.length }), 7)
  const tooMany = { code: 'RENDER_LIMIT_EXCEEDED', message: /7 pages, at most 6/ }
  t.throws(() => measurePdf(file, { pages: 6, pdfBytes: file.length }), tooMany)
  t.throws(() => measurePdf(file, { pages: 7, pdfBytes: file.length - 1 }), { code: 'RENDER_LIMIT_EXCEEDED' })
})
