import t from 'tap'
import { signingFrom } from './signing.ts'

t.test('a signature matches only its file, expiry and secret', async (t) => {
  const signing = signingFrom('a'.repeat(32))
  const signature = signing.fileSignature('pdf_1', 1_000)
  t.ok(signing.fileSignatureMatches('pdf_1', 1_000, signature))
  t.notOk(signing.fileSignatureMatches('pdf_2', 1_000, signature))
  t.notOk(signing.fileSignatureMatches('pdf_1', 1_001, signature))
  t.notOk(signing.fileSignatureMatches('pdf_1', 1_000, `${signature}x`))
  t.notOk(signing.fileSignatureMatches('pdf_1', 1_000, ''))
  t.notOk(signingFrom('b'.repeat(32)).fileSignatureMatches('pdf_1', 1_000, signature))
})

t.test('each API key and rotation has its own webhook secret of 32 bytes', async (t) => {
  const { webhookSecret } = signingFrom('a'.repeat(32))
  t.match(webhookSecret('key_1', 1), /^whsec_[A-Za-z0-9+/]{43}=$/)
  const all = [webhookSecret('key_1', 1), webhookSecret('key_1', 2), webhookSecret('key_2', 1)]
  t.equal(new Set(all).size, 3)
  t.equal(webhookSecret('key_1', 1), all[0])
})
