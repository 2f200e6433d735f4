import t from 'tap'
import { S3Refusal } from './refusal.ts'
import { type SignedRequest, verifySignature } from './signature-v4.ts'

// The worked examples of the Amazon S3 API reference, "Signature Calculations for the Authorization Header" and
// "Authenticating Requests: Using Query Parameters".
const credentials = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const signedAt = Date.parse('2013-05-24T00:00:00Z')
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'

const getObject: SignedRequest = {
  method: 'GET',
  path: '/test.txt',
  query: '',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': emptyHash,
    'x-amz-date': '20130524T000000Z',
    authorization:
      `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,` +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
}

const presigned: SignedRequest = {
  method: 'GET',
  path: '/test.txt',
  query:
    `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(scope)}&X-Amz-Date=20130524T000000Z` +
    '&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
}

const code = (request: SignedRequest, now = signedAt) => {
  try {
    return verifySignature(request, credentials, now)
  } catch (err) {
    return err instanceof S3Refusal ? err.code : err
  }
}

t.test('the published examples are accepted', async (t) => {
  t.equal(code(getObject), emptyHash)
  t.equal(code(presigned), 'UNSIGNED-PAYLOAD')
  const lifecycle: SignedRequest = {
    ...getObject,
    path: '/',
    query: 'lifecycle',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': emptyHash,
      'x-amz-date': '20130524T000000Z',
      authorization:
        `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=host;x-amz-content-sha256;x-amz-date,` +
        'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
  }
  t.equal(code(lifecycle), emptyHash)
})

t.test('a changed request is refused', async (t) => {
  const { headers } = getObject
  t.equal(code({ ...getObject, method: 'PUT' }), 'SignatureDoesNotMatch')
  t.equal(code({ ...getObject, path: '/test.tx' }), 'SignatureDoesNotMatch')
  t.equal(code({ ...getObject, query: 'acl' }), 'SignatureDoesNotMatch')
  t.equal(code({ ...getObject, headers: { ...headers, range: 'bytes=0-8' } }), 'SignatureDoesNotMatch')
  t.equal(code({ ...getObject, headers: { ...headers, host: 'other' } }), 'SignatureDoesNotMatch')
  t.equal(code({ ...getObject, headers: { ...headers, 'x-amz-acl': 'public' } }), 'AccessDenied', 'not signed')
  t.equal(code({ ...getObject, headers: { ...headers, authorization: '' } }), 'AccessDenied')
  t.equal(code({ ...presigned, query: presigned.query.replace('86400', '86401') }), 'SignatureDoesNotMatch')
  t.equal(code({ ...presigned, query: presigned.query.replace('AKIA', 'AKIB') }), 'InvalidAccessKeyId')
})

t.test('a signature expires', async (t) => {
  t.equal(code(getObject, signedAt + 14 * 60_000), emptyHash)
  t.equal(code(getObject, signedAt + 16 * 60_000), 'RequestTimeTooSkewed')
  t.equal(code(getObject, signedAt - 16 * 60_000), 'RequestTimeTooSkewed')
  t.equal(code(presigned, signedAt + 86_400_000), 'UNSIGNED-PAYLOAD')
  t.equal(code(presigned, signedAt + 86_401_000), 'AccessDenied')
})

t.test('signed chunks are not implemented', async (t) => {
  const headers = { ...getObject.headers, 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' }
  t.equal(code({ ...getObject, headers }), 'NotImplemented')
})
