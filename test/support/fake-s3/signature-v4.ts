import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { S3Refusal } from './refusal.ts'

export interface SignedRequest {
  method: string
  /** Percent-encoded, as received. */
  path: string
  /** The query without the question mark, as received. */
  query: string
  headers: IncomingHttpHeaders
}

export interface Credentials {
  accessKey: string
  secretKey: string
  region: string
}

interface Claim {
  credential: string
  signedHeaders: string[]
  signature: string
  date: string
  /** The value in place of the body's hash. */
  payload: string
  /** Seconds after `date`. */
  lifetimeS: number
  errorCode: 'RequestTimeTooSkewed' | 'AccessDenied'
  canonicalQuery: string
}

const algorithm = 'AWS4-HMAC-SHA256'
const maxSkewS = 15 * 60

/**
 * Checks AWS Signature Version 4 in the header or in a presigned URL, see "Authenticating Requests" in the Amazon S3
 * API reference. Returns the signed hash of the body, SHA-256 in hex or UNSIGNED-PAYLOAD.
 */
export function verifySignature(request: SignedRequest, credentials: Credentials, now = Date.now()): string {
  const claim = request.query.includes('X-Amz-Signature=') ? presignedClaim(request) : headerClaim(request)
  const [accessKey, day, region, service, end] = claim.credential.split('/')
  if (accessKey !== credentials.accessKey) throw new S3Refusal(403, 'InvalidAccessKeyId')
  if (
    region !== credentials.region ||
    service !== 's3' ||
    end !== 'aws4_request' ||
    !claim.date.startsWith(`${day}T`)
  ) {
    throw new S3Refusal(400, 'AuthorizationHeaderMalformed', { Region: credentials.region })
  }
  assertInTime(claim, now)
  assertAllSigned(request.headers, claim.signedHeaders)
  const expected = sign(request, claim, credentials)
  const given = Buffer.from(claim.signature, 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Refusal(403, 'SignatureDoesNotMatch')
  }
  return claim.payload
}

function headerClaim({ headers, query }: SignedRequest): Claim {
  const form = /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/
  const [, credential, signedHeaders, signature] = form.exec(headers.authorization ?? '') ?? []
  if (credential === undefined || signedHeaders === undefined || signature === undefined) {
    throw new S3Refusal(403, 'AccessDenied')
  }
  const [date, payload] = [single(headers['x-amz-date']), single(headers['x-amz-content-sha256'])]
  if (payload.startsWith('STREAMING-')) throw new S3Refusal(501, 'NotImplemented')
  if (payload !== 'UNSIGNED-PAYLOAD' && !/^[0-9a-f]{64}$/.test(payload)) throw new S3Refusal(400, 'InvalidRequest')
  const canonicalQuery = canonical(query)
  const signed = { credential, signedHeaders: signedHeaders.split(';'), signature }
  return { ...signed, date, payload, lifetimeS: maxSkewS, errorCode: 'RequestTimeTooSkewed', canonicalQuery }
}

function presignedClaim({ query }: SignedRequest): Claim {
  const given = new URLSearchParams(query)
  const lifetimeS = Number(given.get('X-Amz-Expires'))
  if (given.get('X-Amz-Algorithm') !== algorithm || !(lifetimeS >= 1 && lifetimeS <= 604_800)) {
    throw new S3Refusal(400, 'AuthorizationQueryParametersError')
  }
  const unsigned = query.split('&').filter((part) => !part.startsWith('X-Amz-Signature='))
  return {
    credential: given.get('X-Amz-Credential') ?? '',
    signedHeaders: (given.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: given.get('X-Amz-Signature') ?? '',
    date: given.get('X-Amz-Date') ?? '',
    payload: 'UNSIGNED-PAYLOAD',
    lifetimeS,
    errorCode: 'AccessDenied',
    canonicalQuery: canonical(unsigned.join('&')),
  }
}

function assertInTime({ date, lifetimeS, errorCode }: Claim, now: number): void {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  const ageS = (now - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)) / 1_000
  if (!(ageS > -maxSkewS && ageS <= lifetimeS)) throw new S3Refusal(403, errorCode)
}

function assertAllSigned(headers: IncomingHttpHeaders, signed: readonly string[]): void {
  const needed = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!needed.every((name) => signed.includes(name))) throw new S3Refusal(403, 'AccessDenied')
}

function sign({ method, path, headers }: SignedRequest, claim: Claim, { secretKey, region }: Credentials): Buffer {
  const lines = claim.signedHeaders.map((name) => `${name}:${single(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const signedHeaders = claim.signedHeaders.join(';')
  const request = [method, path, claim.canonicalQuery, lines.join(''), signedHeaders, claim.payload].join('\n')
  const day = claim.date.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`)
  return hmac(key, [algorithm, claim.date, scope, createHash('sha256').update(request).digest('hex')].join('\n'))
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** The parameters sorted and encoded as in RFC 3986. */
function canonical(query: string): string {
  const encode = (text: string) =>
    encodeURIComponent(decodeURIComponent(text)).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const parts = query.split('&').filter((part) => part !== '')
  const pairs = parts.map((part) => {
    const [name = '', ...value] = part.split('=')
    return `${encode(name)}=${encode(value.join('='))}`
  })
  return pairs.sort().join('&')
}

function single(value: string | string[] | undefined): string {
  return value === undefined ? '' : `${value}`
}
