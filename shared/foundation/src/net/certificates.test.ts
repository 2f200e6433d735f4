import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import t from 'tap'
import { checkExtraCertificates } from './certificates.ts'

t.test('a file of NODE_EXTRA_CA_CERTS that cannot be used is named', async (t) => {
  const [valid = ''] = rootCertificates
  const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  const folder = t.testdir({ text: 'hello', damaged, half: `${valid}\n${damaged}`, valid: `a comment\n${valid}` })
  const check = (file: string) => checkExtraCertificates(join(folder, file))
  for (const file of ['text', 'damaged', 'half']) {
    const message = `NODE_EXTRA_CA_CERTS: ${join(folder, file)} has no certificate in PEM, or a damaged one`
    t.throws(() => check(file), { message }, file)
  }
  for (const file of ['none', '.'])
    t.throws(() => check(file), { message: /^NODE_EXTRA_CA_CERTS cannot be read: / }, file)
  t.doesNotThrow(() => check('valid'))
})
