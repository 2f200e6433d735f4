import t from 'tap'
import { parseS3Url } from './url.ts'

const keys = { accessKey: 'access', secretKey: 'hidden' }

t.test('a URL with all its parts', async (t) => {
  t.same(parseS3Url('s3://minio.internal:9000/platen.files?region=eu-west-1&tls=false', keys), {
    host: 'minio.internal',
    port: 9000,
    tls: false,
    bucket: 'platen.files',
    prefix: '',
    region: 'eu-west-1',
    accessKey: 'access',
    secretKey: 'hidden',
  })
})

t.test('defaults: TLS, the region us-east-1 and the default port', async (t) => {
  t.match(parseS3Url('s3://s3.example.com/bucket/', keys), { tls: true, region: 'us-east-1', port: undefined })
  t.match(parseS3Url('s3://[::1]:9000/bucket', keys), { host: '::1', port: 9000 })
})

t.test('where it is allowed, folders follow the bucket', async (t) => {
  const parse = (url: string) => parseS3Url(url, keys, { mayHavePrefix: true })
  t.match(parse('s3://minio:9000/bucket/backups/platen-1/'), { bucket: 'bucket', prefix: 'backups/platen-1/' })
  t.match(parse('s3://minio:9000/bucket'), { bucket: 'bucket', prefix: '' })
  for (const path of ['a%20b', '.hidden', 'a//b', 'ä'])
    t.throws(() => parse(`s3://minio:9000/bucket/${path}`), { message: /letters, digits and _\.- only/ }, path)
})

t.test('keys in the URL are percent-decoded and override those of the settings', async (t) => {
  t.match(parseS3Url('s3://me:a%2Fb%40c@minio:9000/bucket', keys), { accessKey: 'me', secretKey: 'a/b@c' })
  t.match(parseS3Url('s3://me@minio:9000/bucket', keys), { accessKey: 'me', secretKey: 'hidden' })
})

t.test('errors say what is wrong without the keys', async (t) => {
  const refusals: [string, RegExp][] = [
    ['s3://me:hidden@', /must be s3:\/\/host:port\/bucket/],
    ['s3:minio/bucket', /must be s3:\/\//],
    ['s3://me:hid/den@minio:9000/bucket', /must be s3:\/\//],
    ['s3://me:hidden@minio:9000', /must name a bucket/],
    ['s3://me:hidden@minio:9000/a/b', /must name a bucket/],
    ['s3://me:hidden@minio:9000/UPPER', /must name a bucket/],
    ['s3://me:hidden@minio:9000/a..b', /must name a bucket/],
    ['s3://me:hidden@minio:9000/a.-b', /must name a bucket/],
    ['s3://me:hidden@minio:9000/192.168.1.1', /must name a bucket/],
    ['s3://me:hidden@minio:9000/bucket?tls=no', /must say tls=true or tls=false/],
    ['s3://me:hidden@minio:9000/bucket?ssl=true', /no other settings than region and tls/],
    ['s3://me:hidden%zz@minio:9000/bucket', /percent-encoded/],
  ]
  for (const [url, message] of refusals) {
    t.throws(() => parseS3Url(url, keys), { message }, url)
    t.throws(() => parseS3Url(url, keys), { message: /^OBJECT_STORE_URL (?!.*(hid|me:|den))/ }, url)
  }
  t.throws(() => parseS3Url('s3://minio:9000/bucket'), {
    message: /OBJECT_STORE_ACCESS_KEY and OBJECT_STORE_SECRET_KEY/,
  })
  t.throws(() => parseS3Url('s3://minio:9000/bucket', { accessKey: 'me' }), { message: /OBJECT_STORE_SECRET_KEY/ })
})
