import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Bucket, type Buckets, type StoredObject, storedObject } from './buckets.ts'
import { S3Refusal } from './refusal.ts'

export interface S3Request {
  method: string
  bucket: string
  key: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** A SHA-256 in hex, or UNSIGNED-PAYLOAD. */
  payload: string
}

export interface S3Answer {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/** Actions as named in policies; `s3:ListObjects` needs `s3:ListBucket`. */
export type S3Action =
  | 's3:ListBucket'
  | 's3:ListObjects'
  | 's3:CreateBucket'
  | 's3:GetBucketLocation'
  | 's3:GetLifecycleConfiguration'
  | 's3:GetObject'
  | 's3:PutObject'
  | 's3:DeleteObject'

export function actionOf({ method, key, query }: Pick<S3Request, 'method' | 'key' | 'query'>): S3Action {
  const name = `${method} ${key ? 'object' : (['lifecycle', 'location', 'list-type'].find((part) => query.has(part)) ?? 'bucket')}`
  switch (name) {
    case 'HEAD bucket':
      return 's3:ListBucket'
    case 'GET list-type':
      return 's3:ListObjects'
    case 'PUT bucket':
      return 's3:CreateBucket'
    case 'GET location':
      return 's3:GetBucketLocation'
    case 'GET lifecycle':
      return 's3:GetLifecycleConfiguration'
    case 'GET object':
    case 'HEAD object':
      return 's3:GetObject'
    case 'PUT object':
      return 's3:PutObject'
    case 'DELETE object':
      return 's3:DeleteObject'
  }
  throw new S3Refusal(501, 'NotImplemented')
}

/** The response to a permitted request. Throws S3Refusal. */
export function answer(action: S3Action, request: S3Request, buckets: Buckets, region: string): S3Answer {
  const { bucket, key, body, headers } = request
  switch (action) {
    case 's3:ListBucket':
      buckets.find(bucket)
      return { status: 200, headers: { 'x-amz-bucket-region': region } }
    case 's3:ListObjects':
      return listAnswer(buckets.find(bucket), request)
    case 's3:CreateBucket':
      buckets.make(bucket)
      return { status: 200, headers: { location: `/${bucket}` } }
    case 's3:GetBucketLocation':
      buckets.find(bucket)
      return xml(`<LocationConstraint>${region === 'us-east-1' ? '' : region}</LocationConstraint>`)
    case 's3:GetLifecycleConfiguration':
      return xml(buckets.find(bucket).lifecycle ?? refuse(404, 'NoSuchLifecycleConfiguration'))
    case 's3:GetObject':
      return objectAnswer(buckets.findObject(bucket, key), request)
    case 's3:PutObject': {
      assertIntact(request)
      assertCondition(request, buckets.find(bucket).objects.get(key))
      const object = storedObject(body, headers['content-type'] ?? 'binary/octet-stream')
      buckets.find(bucket).objects.set(key, object)
      return { status: 200, headers: { etag: object.etag } }
    }
    case 's3:DeleteObject':
      buckets.find(bucket).objects.delete(key)
      return { status: 204 }
  }
}

/** A server may return fewer keys than `max-keys`. */
const pageSize = 5

function listAnswer({ objects }: Bucket, { query }: S3Request): S3Answer {
  const after = query.get('continuation-token') || query.get('start-after') || ''
  const prefix = query.get('prefix') ?? ''
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const page = found.slice(0, pageSize)
  const entries = page.map(([key, { body, modifiedAt }]) => {
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`
  })
  const isTruncated = found.length > page.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  return xml(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`)
}

function objectAnswer(object: StoredObject, { headers, query }: S3Request): S3Answer {
  const { body, contentType, etag, modifiedAt } = object
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) refuse(412, 'PreconditionFailed')
  const disposition = query.get('response-content-disposition')
  const described = {
    'content-type': query.get('response-content-type') ?? contentType,
    ...(disposition !== null && { 'content-disposition': disposition }),
    'last-modified': modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    etag,
  }
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined) return { status: 200, headers: described, body }
  const start = first === '' ? Math.max(0, body.length - Number(last)) : Number(first)
  const end = first === '' || last === '' ? body.length - 1 : Math.min(Number(last), body.length - 1)
  if (start > end) throw new S3Refusal(416, 'InvalidRange')
  const range = { 'content-range': `bytes ${start}-${end}/${body.length}` }
  return { status: 206, headers: { ...described, ...range }, body: body.subarray(start, end + 1) }
}

function assertCondition({ headers }: S3Request, present: StoredObject | undefined): void {
  const { 'if-none-match': none, 'if-match': match } = headers
  if (none === '*' && present !== undefined) refuse(412, 'PreconditionFailed')
  if (match !== undefined && present === undefined) refuse(404, 'NoSuchKey')
  if (match !== undefined && match !== present?.etag) refuse(412, 'PreconditionFailed')
}

function assertIntact({ body, headers, payload }: S3Request): void {
  if (headers['content-length'] === undefined) refuse(411, 'MissingContentLength')
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== createHash('sha256').update(body).digest('hex')) {
    refuse(400, 'XAmzContentSHA256Mismatch')
  }
  const md5 = headers['content-md5']
  if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')) refuse(400, 'BadDigest')
}

function xml(text: string): S3Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: text }
}

function refuse(status: number, code: string): never {
  throw new S3Refusal(status, code)
}
