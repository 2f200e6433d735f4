import { type Client, S3Error } from 'minio'
import { codeOf, toUnavailable } from './errors.ts'

/** Under `inputs/`: a policy may leave us that prefix and `pdfs/`, and nothing else. No input has a name like it. */
const probeKey = 'inputs/.probe'

const mending: Record<string, string> = {
  InvalidAccessKeyId: 'OBJECT_STORE_ACCESS_KEY is not known there',
  SignatureDoesNotMatch: 'OBJECT_STORE_SECRET_KEY does not belong to OBJECT_STORE_ACCESS_KEY',
  AccessDenied: 'the keys of OBJECT_STORE_ACCESS_KEY may not write to it',
  NoSuchBucket: 'it does not exist, and the keys of OBJECT_STORE_ACCESS_KEY may not make it',
  AuthorizationHeaderMalformed: 'its region is another one than OBJECT_STORE_URL says',
  RequestTimeTooSkewed: 'the clock of this machine and that of the store differ too much',
}

/** Makes the bucket if it is missing and we may. Throws one clear line where objects cannot be written in the end. */
export async function openBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    if (!(await bucketSeemsThere(client, bucket))) await makeBucket(client, bucket, region)
    await probe(client, bucket)
  } catch (err) {
    const why = mending[codeOf(err) ?? '']
    if (why === undefined) throw toUnavailable('opened', err)
    throw new Error(`The bucket ${bucket} of OBJECT_STORE_URL cannot be used: ${why}`, { cause: err })
  }
}

/** Rejects unless an object can be written. */
export async function probe(client: Client, bucket: string): Promise<void> {
  await client.putObject(bucket, probeKey, Buffer.from('probe'), 5, { 'content-type': 'text/plain' })
}

/** False only where the store says so. */
export async function bucketSeemsThere(client: Client, bucket: string): Promise<boolean> {
  try {
    return await client.bucketExists(bucket)
  } catch (err) {
    // An answer to HEAD has no body to say why; keys that may write and not list can do all we need. The probe will tell.
    if (err instanceof S3Error) return true
    throw err
  }
}

async function makeBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    await client.makeBucket(bucket, region)
  } catch (err) {
    const code = codeOf(err)
    // Another process may have been first. A refusal is none if the bucket is there, which the probe will tell.
    if (code !== 'BucketAlreadyOwnedByYou' && code !== 'BucketAlreadyExists' && code !== 'AccessDenied') throw err
  }
}
