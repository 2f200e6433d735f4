import type { Client } from 'minio'
import { BadStatus, codeOf, misconfiguration, toUnavailable } from './errors.ts'
import { retryBriefly } from './retry-briefly.ts'

const explanations: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'OBJECT_STORE_ACCESS_KEY does not exist',
  SignatureDoesNotMatch: 'OBJECT_STORE_SECRET_KEY does not belong to OBJECT_STORE_ACCESS_KEY',
  InvalidToken: 'OBJECT_STORE_SESSION_TOKEN does not belong to OBJECT_STORE_ACCESS_KEY',
  InvalidTokenId: 'OBJECT_STORE_SESSION_TOKEN does not belong to OBJECT_STORE_ACCESS_KEY',
  ExpiredToken: 'OBJECT_STORE_SESSION_TOKEN has expired',
  NoSuchBucket: 'it does not exist, and OBJECT_STORE_ACCESS_KEY may not create it',
  AuthorizationHeaderMalformed: 'its region is not that of OBJECT_STORE_URL',
  RequestTimeTooSkewed: 'the clocks of this machine and of the store differ too much',
}

/** Creates the bucket if it is missing, and checks the keys. Throws an error with one line if it cannot be used. */
export async function openBucket(client: Client, bucket: string, region: string, probe: BucketProbe): Promise<void> {
  let action = 'be opened by'
  try {
    if (!(await mayExist(client, bucket))) await makeBucket(client, bucket, region)
    action = 'write to'
    await probe.write()
    action = 'read from'
    await probe.read()
  } catch (err) {
    const code = codeOf(err)
    const mistake = misconfiguration(err)
    if (mistake !== undefined) throw new Error(unusable(bucket, mistake))
    const explanation =
      code === 'AccessDenied'
        ? `OBJECT_STORE_ACCESS_KEY may not ${action} it${action === 'write to' ? `, or the bucket does not exist` : ''}`
        : explanations[code ?? '']
    if (explanation === undefined) throw toUnavailable('opened', err)
    throw new Error(unusable(bucket, explanation), { cause: err })
  }
}

function unusable(bucket: string, reason: string): string {
  return `The bucket ${bucket} of OBJECT_STORE_URL cannot be used: ${reason}`
}

/** False only if the store says that the bucket does not exist. */
async function mayExist(client: Client, bucket: string): Promise<boolean> {
  try {
    return await retryBriefly(() => client.bucketExists(bucket))
  } catch (err) {
    // A response to HEAD has no reason. Keys that may use objects but not list them are sufficient: the probe finds out.
    if (err instanceof Error && err.name === 'S3Error') return true
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

/** Under `inputs/`, because a policy may restrict the keys to that prefix and `pdfs/`. No input has this name. */
const probeKey = 'inputs/.probe'

const writeEveryMs = 10 * 60_000

/** A small object may still fit into a store that refuses documents: after such a refusal the store counts as full. */
const fullMs = 30_000
const fullCodes = new Set(['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded', 'HTTP 507'])

export interface BucketProbeOptions {
  client: Client
  bucket: string
  /** Called when the probe object was missing: the bucket may be a new one. */
  onMissing: () => Promise<void>
}

/**
 * Finds out whether objects can be read and written. It reads an object each time, and writes it only when nothing else was
 * written for a while or the last write failed: in a versioned bucket each write is kept.
 */
export class BucketProbe {
  readonly #options: BucketProbeOptions
  #writtenAt = Number.NEGATIVE_INFINITY
  #full: { err: unknown; at: number } | undefined
  #checking: Promise<void> | undefined

  constructor(options: BucketProbeOptions) {
    this.#options = options
  }

  /** To be called after each write of an object, with its error if it failed. */
  noteWrite(err?: unknown): void {
    const now = performance.now()
    this.#writtenAt = err === undefined ? now : Number.NEGATIVE_INFINITY
    if (err === undefined) this.#full = undefined
    else if (isFull(err)) this.#full = { err, at: now }
  }

  async write(): Promise<void> {
    const { client, bucket } = this.#options
    const body = Buffer.from('probe')
    await retryBriefly(() => client.putObject(bucket, probeKey, body, body.length, { 'content-type': 'text/plain' }))
    this.#writtenAt = performance.now()
  }

  async read(): Promise<void> {
    const { client, bucket: bucketName } = this.#options
    const request = { method: 'GET', bucketName, objectName: probeKey }
    const response = await retryBriefly(() => client.makeRequestAsync({ ...request, headers: {} }))
    response.resume()
  }

  /** Concurrent checks share one. Throws the error of the store. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<void> {
    const now = performance.now()
    if (this.#full && now - this.#full.at < fullMs) throw this.#full.err
    try {
      await this.read()
    } catch (err) {
      // Without s3:ListBucket, Amazon S3 answers 403 if an object is missing.
      if (codeOf(err) !== 'NoSuchKey' && codeOf(err) !== 'AccessDenied') throw err
      await this.write()
      await this.read()
      await this.#options.onMissing()
    }
    if (now - this.#writtenAt > writeEveryMs) await this.write()
  }
}

function isFull(err: unknown): boolean {
  return fullCodes.has(codeOf(err) ?? '') || (err instanceof BadStatus && err.status === 507)
}
