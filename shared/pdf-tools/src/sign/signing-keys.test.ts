import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { judged, missing } from '../testing/judges.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { prepareSignature } from './prepare-signature.ts'
import { SigningKeys } from './signing-keys.ts'

const noOpenssl = spawnSync('openssl', ['version']).error ? 'openssl is not installed' : false
const folder = t.testdir({})
const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
const file = (name: string) => join(folder, name)

/** A key with a certificate of the authority `ca`, as `<name>.p12`. */
function makeKey(
  name: string,
  {
    newkey = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    extensions = 'keyUsage=digitalSignature',
    days = '9',
    pkcs12 = [] as string[],
  } = {},
) {
  openssl(
    'req',
    '-newkey',
    ...newkey,
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    `/CN=Signer ${name}`,
  )
  writeFileSync(file('ext'), extensions)
  const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'ext']
  openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, '-days', days, ...issuer)
  const input = ['-inkey', `${name}.key`, '-in', `${name}.pem`, '-certfile', 'ca.pem']
  openssl('pkcs12', '-export', ...input, '-out', `${name}.p12`, '-passout', 'pass:söcret', ...pkcs12)
  writeFileSync(file(`${name}.password`), 'söcret\n')
  writeFileSync(file(`${name}.allow`), '*\n')
}

async function signed(key: string, { timeStampUrl, pdf }: { timeStampUrl?: string; pdf?: Uint8Array } = {}) {
  writeFileSync(file('time-stamp-url'), timeStampUrl ?? '')
  const keys = new SigningKeys(folder)
  const signer = await keys.signerOf(key, ['own_a', 'key_a'])
  const visible = { x: 10, y: 10, width: 60, height: 20 }
  const step = { key, reason: 'Geprüft', location: 'Bern', visible }
  const prepared = await prepareSignature(pdf ?? (await samplePdf()), step, { signer, signedAt: new Date() })
  return Buffer.from(await keys.complete(prepared, key))
}

/** What OpenSSL says of the last signature of a PDF. */
function verified(pdf: Buffer): { isValid: boolean; attributes: string } {
  const [, from = 0, to = 0, rest = 0] =
    [...pdf.toString('latin1').matchAll(/ByteRange \[ 0 (\d+) (\d+) (\d+)/g)].at(-1)?.map(Number) ?? []
  writeFileSync(file('content'), Buffer.concat([pdf.subarray(0, from), pdf.subarray(to, to + rest)]))
  const value = Buffer.from(pdf.toString('latin1', from + 1, to - 1), 'hex')
  writeFileSync(file('value'), value.subarray(0, 4 + value.readUInt16BE(2)))
  const input = ['-inform', 'DER', '-in', 'value']
  const check = spawnSync(
    'openssl',
    [
      'cms',
      '-verify',
      ...input,
      '-content',
      'content',
      '-binary',
      '-CAfile',
      'ca.pem',
      '-purpose',
      'any',
      '-out',
      'out',
    ],
    { cwd: folder },
  )
  return { isValid: check.status === 0, attributes: String(openssl('cms', '-cmsout', '-print', ...input)) }
}

t.before(() => {
  if (noOpenssl) return
  mkdirSync(folder, { recursive: true })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test CA',
    '-days',
    '99',
  )
  makeKey('office', { newkey: ['rsa:2048'] })
})

t.test('a signature covers the whole file, and other programs find it valid', { skip: noOpenssl }, async (t) => {
  const original = await samplePdf()
  const pdf = await signed('office', { pdf: original })
  t.ok(pdf.subarray(0, original.length).equals(Buffer.from(original)), 'it is an incremental update')
  const { isValid, attributes } = verified(pdf)
  t.ok(isValid)
  t.match(attributes, /signingCertificateV2/)
  t.notMatch(attributes, /signingTime|timeStampToken/)
  pdf[100] = (pdf[100] ?? 0) ^ 1
  t.notOk(verified(pdf).isValid, 'a change of a byte is seen')
})

t.test('pdfsig finds two signatures valid', { skip: noOpenssl || missing('pdfsig') }, async (t) => {
  makeKey('curve')
  const twice = await signed('curve', { pdf: await signed('office') })
  const { output } = judged('pdfsig', ['-nocert', 'FILE'], twice)
  t.equal(output.match(/Signature is Valid/g)?.length, 2, output)
  t.match(output, /Signature1[\s\S]*Signer office[\s\S]*Signature2[\s\S]*Signer curve[\s\S]*Total document signed/)
  t.match(output, /ETSI\.CAdES\.detached/)
})

t.test('qpdf finds no mistake in a signed PDF', { skip: noOpenssl || missing('qpdf') }, async (t) => {
  const { status, output } = judged('qpdf', ['--check', 'FILE'], await signed('office'))
  t.equal(status, 0, output)
})

t.test('with a time-stamping authority a signature has its time stamp', { skip: noOpenssl }, async (t) => {
  makeKey('tsa', { extensions: 'extendedKeyUsage=critical,timeStamping' })
  const config = [
    '[c]',
    'serial=serial',
    'signer_cert=tsa.pem',
    'certs=ca.pem',
    'signer_key=tsa.key',
    'signer_digest=sha256',
  ]
  writeFileSync(file('tsa.cnf'), [...config, 'default_policy=1.2.3', 'digests=sha256', ''].join('\n'))
  writeFileSync(file('serial'), '01')
  let answer = (query: Buffer): Uint8Array => {
    writeFileSync(file('query'), query)
    openssl('ts', '-reply', '-config', 'tsa.cnf', '-section', 'c', '-queryfile', 'query', '-out', 'reply')
    return readFileSync(file('reply'))
  }
  const server = createServer(async (request, response) => {
    response.end(answer(Buffer.concat(await request.toArray())))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  const timeStampUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { isValid, attributes } = verified(await signed('office', { timeStampUrl }))
  t.ok(isValid)
  t.match(attributes, /timeStampToken/)
  const old = readFileSync(file('reply'))
  answer = () => old
  await t.rejects(signed('office', { timeStampUrl }), { name: 'TimeStampFailed', message: /not for this signature/ })
  answer = () => Buffer.from('no')
  await t.rejects(signed('office', { timeStampUrl }), { name: 'TimeStampFailed', message: /no time stamp/ })
  await t.rejects(signed('office', { timeStampUrl: 'no' }), { name: 'TimeStampFailed', message: /no URL/ })
  answer = () => Buffer.alloc(100_000)
  await t.rejects(signed('office', { timeStampUrl }), { name: 'TimeStampFailed', message: /more than/ })
})

t.test('a key with a list is there for the owners and API keys of the list', { skip: noOpenssl }, async (t) => {
  makeKey('listed')
  rmSync(file('listed.allow'))
  const keys = new SigningKeys(folder)
  const none = { name: 'SigningKeyUnusable', message: 'There is no signing key listed' }
  const unsaid = { name: 'SigningKeyUnusable', message: /has not said who may use the signing key listed/ }
  await t.rejects(keys.signerOf('listed', ['own_b']), unsaid)
  writeFileSync(file('listed.allow'), '*\n')
  t.equal(await keys.signerOf('listed', ['own_b']), 'Signer listed')
  writeFileSync(file('listed.allow'), 'own_a\r\n key_c\n')
  t.equal(await keys.signerOf('listed', ['own_a', 'key_x']), 'Signer listed')
  t.equal(await keys.signerOf('listed', ['own_b', 'key_c']), 'Signer listed')
  await t.rejects(keys.signerOf('listed', ['own_b', 'key_x']), none)
  await t.rejects(keys.signerOf('listed', ['']), none)
  writeFileSync(file('listed.allow'), '')
  await t.rejects(keys.signerOf('listed', ['own_a']), none)
})

t.test('a key that cannot be used says why', { skip: noOpenssl }, async (t) => {
  const old = ['-legacy', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES']
  makeKey('triple', { pkcs12: old })
  t.ok(verified(await signed('triple')).isValid, 'triple DES is read')
  const rejects = (name: string, message: RegExp) =>
    t.rejects(new SigningKeys(folder).signerOf(name, ['own_a']), { name: 'SigningKeyUnusable', message })
  await rejects('nobody', /There is no signing key nobody/)
  await rejects('../office', /There is no signing key/)
  makeKey('wrong')
  writeFileSync(file('wrong.password'), 'other')
  await rejects('wrong', /password is wrong/)
  makeKey('rc2', { pkcs12: ['-legacy'] })
  await rejects('rc2', /not supported. Export it with AES-256/)
  makeKey('edwards', { newkey: ['ed25519'] })
  await rejects('edwards', /is ed25519; it must be RSA or ECDSA/)
  makeKey('ended', { days: '0' })
  await rejects('ended', /is valid from/)
  writeFileSync(file('broken.p12'), 'no')
  writeFileSync(file('broken.password'), 'no')
  await rejects('broken', /cannot be used: an ASN.1 value/)
})
