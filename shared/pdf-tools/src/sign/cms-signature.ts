import { createHash, sign } from 'node:crypto'
import {
  algorithm,
  context,
  type DerNode,
  encode,
  integer,
  objectIdentifier,
  octetString,
  readDer,
  sequence,
  setOf,
  tags,
} from './der.ts'
import type { SigningKey } from './read-pkcs12.ts'

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsaWithSha256: '1.2.840.113549.1.1.11',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
}

/** Gives the token of a time stamp (RFC 3161) for the hash, SHA-256, of a signature. */
export type TimeStamp = (signatureHash: Uint8Array) => Promise<Uint8Array>

/**
 * A detached CMS signature (RFC 5652) as PAdES baseline demands it (ETSI EN 319 142-1, 6): the attributes are content type,
 * message digest and signing certificate. The time of signing is in the PDF. With a time stamp it has the level B-T, else B-B.
 * `digest` is the SHA-256 of what is signed.
 */
export async function cmsSignature(digest: Uint8Array, key: SigningKey, timeStamp?: TimeStamp): Promise<Buffer> {
  const { certificate, issuers } = key
  const attributes = [
    attribute(oids.contentType, objectIdentifier(oids.data)),
    attribute(oids.messageDigest, octetString(digest)),
    attribute(oids.signingCertificateV2, signingCertificate(certificate.raw)),
  ]
  // The attributes are signed as a SET, and written with another tag (RFC 5652, 5.4).
  const signed = setOf(attributes)
  const isRsa = key.key.asymmetricKeyType === 'rsa'
  const signature = sign('sha256', signed, key.key)
  const token = await timeStamp?.(createHash('sha256').update(signature).digest())
  const signerInfo = sequence(
    integer(1),
    issuerAndSerialNumber(certificate.raw),
    algorithm(oids.sha256),
    context(0, readDer(signed).content),
    isRsa ? algorithm(oids.rsaWithSha256) : algorithm(oids.ecdsaWithSha256, false),
    octetString(signature),
    ...(token === undefined ? [] : [context(1, attribute(oids.timeStampToken, token))]),
  )
  const signedData = sequence(
    integer(1),
    setOf([algorithm(oids.sha256)]),
    sequence(objectIdentifier(oids.data)),
    context(0, readDer(setOf([certificate, ...issuers].map((each) => each.raw))).content),
    setOf([signerInfo]),
  )
  return sequence(objectIdentifier(oids.signedData), context(0, signedData))
}

function attribute(type: string, value: Uint8Array): Buffer {
  return sequence(objectIdentifier(type), encode(tags.set, value))
}

/** SigningCertificateV2 (RFC 5035, 3): the SHA-256 of the certificate, with its issuer and serial number. */
function signingCertificate(certificate: Uint8Array): Buffer {
  const { issuer, serialNumber } = namesOf(certificate)
  const issuerSerial = sequence(sequence(context(4, issuer.encoded)), serialNumber.encoded)
  const hash = createHash('sha256').update(certificate).digest()
  return sequence(sequence(sequence(octetString(hash), issuerSerial)))
}

function issuerAndSerialNumber(certificate: Uint8Array): Buffer {
  const { issuer, serialNumber } = namesOf(certificate)
  return sequence(issuer.encoded, serialNumber.encoded)
}

/** TBSCertificate (RFC 5280, 4.1): a version in most certificates, then serial number, algorithm and issuer. */
function namesOf(certificate: Uint8Array): { issuer: DerNode; serialNumber: DerNode } {
  const body = readDer(certificate).child(0)
  const first = body.child(0).tag === 0xa0 ? 1 : 0
  return { serialNumber: body.child(first), issuer: body.child(first + 2) }
}
