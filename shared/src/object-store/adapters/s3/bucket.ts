import { type Client, S3Error } from 'minio'
import { codeOf, toUnavailable } from './errors.ts'

/** Under `inputs/`, because a policy may restrict the keys to that prefix and `pdfs/`. No input has this name. */
const probeKey = 'inputs/.probe'

const explanations: Record<string, string> = {
  InvalidAccessKeyId: 'OBJECT_STORE_ACCESS_KEY does not exist',
  SignatureDoesNotMatch: 'OBJECT_STORE_SECRET_KEY does not belong to OBJECT_STORE_ACCESS_KEY',
  AccessDenied: 'OBJECT_STORE_ACCESS_KEY may not write to it',
  NoSuchBucket: 'it does not exist, and OBJECT_STORE_ACCESS_KEY may not create it',
  AuthorizationHeaderMalformed: 'its region is not that of OBJECT_STORE_URL',
  RequestTimeTooSkewed: 'the clocks of this machine and of the store differ too much',
}

/** Creates the bucket if it is missing. Throws an error with one line if objects cannot be written. */
export async function openBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    if (!(await mayExist(client, bucket))) await makeBucket(client, bucket, region)
    await probe(client, bucket)
  } catch (err) {
    const explanation = explanations[codeOf(err) ?? '']
    if (explanation === undefined) throw toUnavailable('opened', err)
    throw new Error(`The bucket ${bucket} of OBJECT_STORE_URL cannot be used: ${explanation}`, { cause: err })
  }
}

/** Rejects unless an object can be written. */
export async function probe(client: Client, bucket: string): Promise<void> {
  await client.putObject(bucket, probeKey, Buffer.from('probe'), 5, { 'content-type': 'text/plain' })
}

/** False only if the store says that the bucket does not exist. */
export async function mayExist(client: Client, bucket: string): Promise<boolean> {
  try {
    return await client.bucketExists(bucket)
  } catch (err) {
    // A response to HEAD has no reason. Keys that may write but not list are sufficient, which the probe finds out.
    if (err instanceof S3Error) return true
    throw err
  }
}

async function makeBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    await client.makeBucket(bucket, region)
  } catch (err) {
    const code = codeOf(err)
    // Another process may have created it, and a denied request does not matter if it exists. The probe finds out.
    if (code !== 'BucketAlreadyOwnedByYou' && code !== 'BucketAlreadyExists' && code !== 'AccessDenied') throw err
  }
}
