import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import t from 'tap'
import { readCertificates } from './certificates.ts'

t.test('a file that cannot be used is named with its setting', async (t) => {
  const [valid = ''] = rootCertificates
  const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  const folder = t.testdir({ text: 'hello', damaged, half: `${valid}\n${damaged}`, valid: `a comment\n${valid}` })
  const read = (file: string) => readCertificates('WEBHOOK_CA', join(folder, file))
  for (const file of ['text', 'damaged', 'half']) {
    const message = `WEBHOOK_CA: ${join(folder, file)} has no certificate in PEM, or a damaged one`
    t.throws(() => read(file), { message }, file)
  }
  for (const file of ['none', '.']) t.throws(() => read(file), { message: /^WEBHOOK_CA cannot be read: / }, file)
  t.match(read('valid').at(-1), valid)
})
