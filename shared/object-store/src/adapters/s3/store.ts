import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { defined } from '@platen/foundation/json/defined.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { type BucketItem, Client } from 'minio'
import type { ObjectCategory } from '../../object-category.ts'
import { assertCategory, isKey, parseKey } from '../../object-key.ts'
import {
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  ObjectNotFound,
  type ObjectTag,
  type PublicUrlOptions,
  type SharedObjectStore,
} from '../../object-store.ts'
import { wholeBody } from './body.ts'
import { BucketProbe, checkCategories, openBucket, probeName } from './bucket.ts'
import { codeOf, toUnavailable } from './errors.ts'
import { lifecycleWarnings } from './lifecycle-warnings.ts'
import { publicUrlSigner } from './public-url.ts'
import { retryBriefly } from './retry-briefly.ts'
import { type Connections, type Deadlines, defaultDeadlines, openConnections } from './transport.ts'
import type { S3Location } from './url.ts'

export interface S3Options {
  /** `https://host[:port]` where clients reach the same store. */
  publicUrl?: string | undefined
  /** The categories of objects. The first one is used to test the store. Default: `probe`. */
  categories?: readonly ObjectCategory[] | undefined
  /** Called with problems that do not prevent the use of the store. Without it, only the first category is tried. */
  warn?: ((message: string) => void) | undefined
  deadlines?: Deadlines
  /**
   * Opens the store without writing to it. A bucket that does not exist is not created, and is read as an empty one.
   * Default: false.
   */
  isReadOnly?: boolean
}

/** The maximum size of a PUT. As the part size, it prevents multipart uploads. */
const maxPutBytes = 5 * 1024 ** 3

/**
 * Stores objects in a bucket of Amazon S3, MinIO or a compatible store. Throws an error with one line if the bucket
 * cannot be used, ObjectStoreUnavailable if the store cannot be reached.
 */
export async function openS3(location: S3Location, options: S3Options = {}): Promise<SharedObjectStore> {
  const store = new S3(location, options)
  try {
    await store.open()
  } catch (err) {
    await store.close()
    throw err
  }
  return store
}

class S3 implements SharedObjectStore {
  readonly #client: Client
  readonly #connections: Connections
  readonly #location: S3Location
  readonly #options: S3Options
  readonly #deadlines: Deadlines
  readonly #probe: BucketProbe
  readonly #signUrl: ReturnType<typeof publicUrlSigner>

  constructor(location: S3Location, options: S3Options) {
    this.#location = location
    this.#options = options
    this.#deadlines = options.deadlines ?? defaultDeadlines
    this.#signUrl = publicUrlSigner(options.publicUrl, location)
    this.#connections = openConnections({ tls: location.tls, deadlines: this.#deadlines })
    this.#client = new Client({
      endPoint: location.host,
      ...defined({ port: location.port }),
      useSSL: location.tls,
      accessKey: location.accessKey,
      secretKey: location.secretKey,
      ...defined({ sessionToken: location.sessionToken }),
      region: location.region,
      partSize: maxPutBytes,
      transport: this.#connections.transport,
      transportAgent: this.#connections.agent,
      // The client's retry writes to the console.
      retryOptions: { disableRetry: true },
    })
    const { bucket } = location
    const [first] = options.categories ?? []
    this.#probe = new BucketProbe({
      client: this.#client,
      bucket,
      prefix: location.prefix,
      category: first?.name ?? 'probe',
    })
  }

  async open(): Promise<void> {
    const { warn, categories = [], isReadOnly = false } = this.#options
    await openBucket(this.#client, this.#location, { probe: this.#probe, isReadOnly })
    if (!warn) return
    for (const warning of await checkCategories(this.#location, this.#probe, categories.slice(1))) warn(warning)
    for (const warning of await lifecycleWarnings(this.#client, this.#location.bucket, categories)) warn(warning)
  }

  async put(key: string, body: Uint8Array, contentType: string): Promise<void> {
    parseKey(key)
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    await this.#send('written to', async (client, bucket) => {
      try {
        await client.putObject(bucket, this.#name(key), bytes, bytes.length, { 'content-type': contentType })
        this.#probe.noteWrite()
      } catch (err) {
        this.#probe.noteWrite(err)
        throw err
      }
    })
  }

  async putIf(key: string, body: Uint8Array, expected: ObjectTag | undefined): Promise<ObjectTag | undefined> {
    parseKey(key)
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const condition = expected === undefined ? { 'if-none-match': '*' } : { 'if-match': expected }
    return this.#send('written to', async (client, bucketName) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': String(bytes.length),
        // A bucket with Object Lock demands it.
        'content-md5': createHash('md5').update(bytes).digest('base64'),
      }
      const put = async (conditions: Record<string, string>) => {
        const request = {
          method: 'PUT',
          bucketName,
          objectName: this.#name(key),
          headers: { ...headers, ...conditions },
        }
        const response = await client.makeRequestAsync(request, bytes, [200])
        response.resume()
        return tagOf(response)
      }
      try {
        return await put(condition)
      } catch (err) {
        const code = codeOf(err) ?? ''
        if (unmet.includes(code)) return undefined
        if (code === 'NotImplemented') return put({})
        throw err
      }
    })
  }

  async getTagged(key: string): Promise<{ body: Buffer; tag: ObjectTag } | undefined> {
    parseKey(key)
    return this.#send('read', async () => {
      try {
        const response = await this.#open(key)
        return { body: await readBytes(response), tag: tagOf(response) }
      } catch (err) {
        if (codeOf(err) === 'NoSuchKey' || this.#isNoBucket(err)) return undefined
        throw err
      }
    })
  }

  async info(key: string): Promise<ObjectInfo | undefined> {
    parseKey(key)
    return this.#send('read', async (client, bucket) => {
      try {
        const { size, lastModified } = await client.statObject(bucket, this.#name(key))
        return { size, modifiedAt: lastModified }
      } catch (err) {
        // The response to HEAD does not say whether the object or the bucket is missing. That to GET does.
        if (codeOf(err) !== 'NotFound') throw err
        return this.#open(key, { range: 'bytes=0-0' }).then(
          (response) => {
            response.destroy()
            throw err
          },
          (cause) => {
            if (codeOf(cause) === 'NoSuchKey') return undefined
            throw cause
          },
        )
      }
    })
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    parseKey(key)
    if (range && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`${range.start}-${range.end} is not a byte range`)
    }
    return this.#send('read', async () => {
      try {
        const response = await this.#open(key, range && { range: `bytes=${range.start}-${range.end}` })
        if (range) assertRange(response, range.start)
        const reopen = (offset: number) => this.#reopen(key, response, (range?.start ?? 0) + offset, range?.end)
        return wholeBody(response, { idleMs: this.#deadlines.idleMs, reopen })
      } catch (err) {
        if (codeOf(err) === 'NoSuchKey') throw new ObjectNotFound(key)
        // Like a file, an object has no bytes beyond its end.
        if (codeOf(err) === 'InvalidRange') return Readable.from([])
        throw err
      }
    })
  }

  /** The bytes of the same version of the object from `start` on, up to `end` or its own end. */
  async #reopen(key: string, { headers }: IncomingMessage, start: number, end?: number): Promise<IncomingMessage> {
    if (headers.etag === undefined) throw new Error('The object store did not return an ETag')
    const range = `bytes=${start}-${end ?? ''}`
    const response = await retryBriefly(() => this.#open(key, { range, 'if-match': `${headers.etag}` }))
    assertRange(response, start)
    return response
  }

  #name(key: string): string {
    return `${this.#location.prefix}${key}`
  }

  #open(key: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const { bucket: bucketName } = this.#location
    const objectName = this.#name(key)
    // A copy, because the client adds headers.
    return this.#client.makeRequestAsync(
      { method: 'GET', bucketName, objectName, headers: { ...headers } },
      '',
      [200, 206],
    )
  }

  async delete(key: string): Promise<void> {
    parseKey(key)
    await this.#send('written to', (client, bucket) => client.removeObject(bucket, this.#name(key)))
  }

  async *list(category: string, stems?: ReadonlySet<string>): AsyncIterable<ListedObject> {
    assertCategory(category)
    if (!stems) yield* this.#listFrom(`${category}/`)
    else for (const stem of stems) yield* this.#listFrom(`${category}/${stem}.`)
  }

  async *#listFrom(start: string): AsyncIterable<ListedObject> {
    const { bucket, prefix } = this.#location
    const pages = this.#client.listObjectsV2(bucket, this.#name(start), true)
    try {
      for await (const { name, size, lastModified } of pages as AsyncIterable<Partial<BucketItem>>) {
        const key = name?.slice(prefix.length)
        if (key !== undefined && isKey(key) && !isProbe(key))
          yield { key, size: size ?? 0, modifiedAt: lastModified ?? new Date() }
      }
    } catch (err) {
      if (!this.#isNoBucket(err)) throw toUnavailable('listed', err)
    }
  }

  #isNoBucket(err: unknown): boolean {
    return this.#options.isReadOnly === true && codeOf(err) === 'NoSuchBucket'
  }

  async publicUrl(key: string, options: PublicUrlOptions): Promise<string | undefined> {
    parseKey(key)
    return this.#signUrl?.(key, options)
  }

  async check(): Promise<void> {
    try {
      await this.#probe.check()
    } catch (err) {
      throw toUnavailable('used', err)
    }
  }

  async close(): Promise<void> {
    this.#connections.agent.destroy()
  }

  async #send<Value>(action: string, send: (client: Client, bucket: string) => Promise<Value>): Promise<Value> {
    try {
      return await retryBriefly(() => send(this.#client, this.#location.bucket))
    } catch (err) {
      if (err instanceof ObjectNotFound) throw err
      throw toUnavailable(action, err)
    }
  }
}

/**
 * Codes of an unmet condition. The second one means that another write is not finished, the third that the object of an
 * If-Match is missing.
 */
const unmet = ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey']

function tagOf({ headers }: IncomingMessage): ObjectTag {
  if (headers.etag === undefined) throw new Error('The object store did not return an ETag')
  return headers.etag
}

const isProbe = (key: string) => key.endsWith(`/${probeName}`)

/** Throws if the store ignored the range, which would otherwise look like a corrupt object. */
function assertRange({ statusCode, headers }: IncomingMessage, start: number): void {
  const [, first] = /^bytes (\d+)-\d+\//.exec(headers['content-range'] ?? '') ?? []
  if (statusCode !== 206 || Number(first) !== start) {
    throw new Error('The object store did not return the requested range')
  }
}
