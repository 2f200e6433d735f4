import { text } from 'node:stream/consumers'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Client } from 'minio'
import type { ObjectCategory } from '../../object-category.ts'
import { BadStatus, codeOf, misconfiguration } from './errors.ts'
import { retryBriefly } from './retry-briefly.ts'
import { startFailure } from './start-failure.ts'
import type { S3Location } from './url.ts'

const explanations: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'OBJECT_STORE_ACCESS_KEY does not exist',
  SignatureDoesNotMatch: 'OBJECT_STORE_SECRET_KEY does not belong to OBJECT_STORE_ACCESS_KEY',
  InvalidToken: 'AWS_SESSION_TOKEN does not belong to OBJECT_STORE_ACCESS_KEY',
  InvalidTokenId: 'AWS_SESSION_TOKEN does not belong to OBJECT_STORE_ACCESS_KEY',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  NoSuchBucket: 'it does not exist, and OBJECT_STORE_ACCESS_KEY may not create it',
  AuthorizationHeaderMalformed: 'its region is not that of OBJECT_STORE_URL',
  RequestTimeTooSkewed: 'the clocks of this machine and of the store differ too much',
}

/** A server that does not answer ends a start within 10 s, with the check of the event store before it. */
const firstAnswerMs = 5_000

/**
 * Creates the bucket if it is missing, and checks the keys. Throws an error with one line if it cannot be used. For
 * reading only, nothing is created or written, and the bucket need not exist.
 */
export async function openBucket(
  client: Client,
  location: S3Location,
  { probe, isReadOnly }: { probe: BucketProbe; isReadOnly: boolean },
): Promise<void> {
  const { bucket, region } = location
  let action = 'be opened by'
  try {
    if (isReadOnly) {
      action = 'read from'
      return await untilAborted(readIfThere(probe), AbortSignal.timeout(firstAnswerMs))
    }
    const exists = await untilAborted(mayExist(client, bucket), AbortSignal.timeout(firstAnswerMs))
    if (!exists) await makeBucket(client, bucket, region)
    action = 'write to'
    await probe.write()
    action = 'read from'
    await probe.readWritten()
  } catch (err) {
    const code = codeOf(err)
    const mistake = misconfiguration(err)
    if (mistake !== undefined) throw new Error(unusable(bucket, mistake))
    const explanation =
      code === 'AccessDenied'
        ? `OBJECT_STORE_ACCESS_KEY may not ${action} it${action === 'write to' ? `, or the bucket does not exist` : ''}`
        : explanations[code ?? '']
    if (explanation === undefined) throw startFailure(location, err)
    throw new Error(unusable(bucket, explanation), { cause: err })
  }
}

async function readIfThere(probe: BucketProbe): Promise<void> {
  try {
    await probe.read()
  } catch (err) {
    if (codeOf(err) !== 'NoSuchKey' && codeOf(err) !== 'NoSuchBucket') throw err
  }
}

function unusable(bucket: string, reason: string): string {
  return `The bucket ${bucket} of OBJECT_STORE_URL cannot be used: ${reason}`
}

/**
 * Checks that the keys may use the categories, because a policy may restrict each. Returns warnings. Only missing
 * rights are reported: other failures have been reported by `openBucket`, or are temporary.
 */
export async function checkCategories(
  { bucket }: S3Location,
  probe: BucketProbe,
  categories: readonly ObjectCategory[],
): Promise<string[]> {
  const warnings: string[] = []
  for (const { name, withoutRights } of categories) {
    const missing = withoutRights === 'unchecked' ? undefined : await missingRight(probe, name)
    if (missing === undefined || withoutRights === 'unchecked') continue
    if (withoutRights === 'fatal') throw new Error(unusable(bucket, `${missing} ${name}/* in it`))
    warnings.push(`${missing} ${name}/* in the bucket ${bucket}: ${withoutRights.warning}`)
  }
  return warnings
}

async function missingRight(probe: BucketProbe, category: string): Promise<string | undefined> {
  let action = 'write'
  try {
    await probe.write(category)
    action = 'read'
    await probe.read(category)
    return undefined
  } catch (err) {
    return codeOf(err) === 'AccessDenied' ? `OBJECT_STORE_ACCESS_KEY may not ${action}` : undefined
  }
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

/**
 * Name of the probe object in each category, as a policy may restrict the keys to some. No object of Platen has this
 * name.
 */
export const probeName = '.probe'
const probeBody = 'probe'

const writeEveryMs = 10 * 60_000

/** A small object may still fit into a store that refuses documents: after such a refusal the store counts as full. */
const fullMs = 30_000
const fullCodes = new Set(['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded', 'HTTP 507'])

export interface BucketProbeOptions {
  client: Client
  bucket: string
  /** Prefix of every key. */
  prefix: string
  /** The category in which the store is tried. */
  category: string
}

/**
 * Checks whether objects can be read and written. It reads an object each time, and writes it only if nothing else was
 * written for a while or the last write failed: a versioned bucket keeps each write.
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

  async write(category = this.#options.category): Promise<void> {
    const { client, bucket, prefix } = this.#options
    const [key, body] = [`${prefix}${category}/${probeName}`, Buffer.from(probeBody)]
    await retryBriefly(() => client.putObject(bucket, key, body, body.length, { 'content-type': 'text/plain' }))
    this.#writtenAt = performance.now()
  }

  async read(category = this.#options.category): Promise<void> {
    const response = await this.#get(category)
    response.resume()
  }

  /**
   * Reads the probe after `write`. Throws BadStatus if it has another content: a web server may answer 200 to
   * everything.
   */
  async readWritten(): Promise<void> {
    const response = await this.#get(this.#options.category)
    if ((await text(response)) !== probeBody)
      throw new BadStatus(response.statusCode ?? 0, undefined, 'not what was written')
  }

  #get(category: string) {
    const { client, bucket: bucketName, prefix } = this.#options
    const request = { method: 'GET', bucketName, objectName: `${prefix}${category}/${probeName}` }
    return retryBriefly(() => client.makeRequestAsync({ ...request, headers: {} }))
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
      // Without s3:ListBucket, Amazon S3 answers 403 for a missing object.
      if (codeOf(err) !== 'NoSuchKey' && codeOf(err) !== 'AccessDenied') throw err
      await this.write()
      await this.read()
    }
    if (now - this.#writtenAt > writeEveryMs) await this.write()
  }
}

function isFull(err: unknown): boolean {
  return fullCodes.has(codeOf(err) ?? '') || (err instanceof BadStatus && err.status === 507)
}
