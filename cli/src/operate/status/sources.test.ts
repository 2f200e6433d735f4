import t from 'tap'
import { withoutLogin } from './sources.ts'

t.test('no part of the keys in the URL of an object store is shown', async (t) => {
  t.equal(withoutLogin('s3://access:se@cret@host:9000/bucket?tls=false'), 's3://host:9000/bucket?tls=false')
  t.equal(withoutLogin('s3://host/bucket'), 's3://host/bucket')
  t.equal(withoutLogin('file:/srv//a@b'), 'file:/srv//a@b')
})
