import t from 'tap'
import { fileUrl } from './file-url.ts'
import { signingFrom } from './signing.ts'

const signing = signingFrom('0123456789abcdef0123456789abcdef')

t.test('it contains the file, the expiry and a valid signature', async (t) => {
  const url = fileUrl(signing, 'https://pdf.example.com', { generationId: 'pdf_1' }, 1_700_000)
  const { origin, pathname, searchParams } = new URL(url)
  t.equal(origin, 'https://pdf.example.com')
  t.equal(pathname, '/v1/files/pdf_1.pdf')
  t.equal(searchParams.get('expires'), '1700000')
  t.ok(signing.fileSignatureMatches('pdf_1', 1_700_000, searchParams.get('signature') ?? ''))
})

t.test('it keeps the path of PUBLIC_URL', async (t) => {
  for (const publicUrl of ['https://example.com/render', 'https://example.com/render/']) {
    t.equal(new URL(fileUrl(signing, publicUrl, { generationId: 'pdf_1' }, 1)).pathname, '/render/v1/files/pdf_1.pdf')
  }
})

t.test('it ends like the type of the file', async (t) => {
  const url = fileUrl(signing, 'https://example.com', { generationId: 'pdf_1', mediaType: 'image/jpeg' }, 1)
  t.equal(new URL(url).pathname, '/v1/files/pdf_1.jpg')
})
