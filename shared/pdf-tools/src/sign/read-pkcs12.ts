import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { decrypt } from './decrypt-pkcs12.ts'
import { type DerNode, readDer } from './der.ts'

/** A private key, RSA or ECDSA, with its certificate and those of its issuers. */
export interface SigningKey {
  key: KeyObject
  certificate: X509Certificate
  /** From the issuer of the certificate upwards. */
  issuers: X509Certificate[]
}

const oids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certificateBag: '1.2.840.113549.1.12.10.1.3',
}

/**
 * Reads a PKCS#12 file (RFC 7292) that is encrypted by PBES2 with AES, or by SHA-1 with triple DES. Throws if the password is
 * wrong, if the file is encrypted in another way, or if it does not have one private key, RSA or ECDSA, with its certificate.
 */
export function readPkcs12(file: Uint8Array, password: string): SigningKey {
  const contents = safeContents(file, password)
  const keys: KeyObject[] = []
  const certificates: X509Certificate[] = []
  for (const bag of contents.flatMap((content) => readDer(content).children)) {
    const type = bag.child(0).identifier
    const value = bag.child(1).child(0)
    if (type === oids.keyBag) keys.push(createPrivateKey({ key: value.encoded, format: 'der', type: 'pkcs8' }))
    if (type === oids.shroudedKeyBag) keys.push(shroudedKey(value, password))
    if (type === oids.certificateBag) certificates.push(new X509Certificate(value.child(1).child(0).octets))
  }
  const [key, ...others] = keys
  if (key === undefined || others.length > 0) throw new Error(`it has ${keys.length} private keys; it must have one`)
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') {
    throw new Error(`its private key is ${key.asymmetricKeyType}; it must be RSA or ECDSA`)
  }
  const certificate = certificates.find((each) => each.checkPrivateKey(key))
  if (certificate === undefined) throw new Error('it has no certificate of the private key')
  return { key, certificate, issuers: issuersOf(certificate, certificates) }
}

function issuersOf(certificate: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const issuers: X509Certificate[] = []
  let last = certificate
  for (;;) {
    const issuer = all.find((each) => each !== last && !issuers.includes(each) && last.checkIssued(each))
    if (issuer === undefined) return issuers
    issuers.push(issuer)
    last = issuer
  }
}

function safeContents(file: Uint8Array, password: string): Buffer[] {
  const authenticatedSafe = readDer(readDer(file).child(1).child(1).child(0).octets)
  return authenticatedSafe.children.map((content) => {
    const type = content.child(0).identifier
    const value = content.child(1).child(0)
    if (type === oids.data) return value.octets
    if (type !== oids.encryptedData) throw new Error('it is encrypted for a public key')
    const encrypted = value.child(1)
    return decrypt(encrypted.child(1), encrypted.child(2).octets, password)
  })
}

function shroudedKey(bag: DerNode, password: string): KeyObject {
  const key = decrypt(bag.child(0), bag.child(1).octets, password)
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}
