import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type BucketItem, Client } from 'minio'
import { assertCategory, isKey, parseKey } from '../../object-key.ts'
import { defaultRetention, type ObjectRetention } from '../../object-retention.ts'
import {
  type ByteRange,
  type ListedObject,
  type ObjectInfo,
  ObjectNotFound,
  type ObjectStore,
  type PublicUrlOptions,
} from '../../object-store.ts'
import { wholeBody } from './body.ts'
import { mayExist, openBucket, probe } from './bucket.ts'
import { codeOf, toUnavailable } from './errors.ts'
import { publicUrlSigner } from './public-url.ts'
import { keepInputsFor } from './retention.ts'
import { type Connections, type Deadlines, defaultDeadlines, openConnections, retryIfStale } from './transport.ts'
import type { S3Location } from './url.ts'

export interface S3Options {
  /** `https://host[:port]` where clients reach the same store. */
  publicUrl?: string | undefined
  retention?: ObjectRetention | undefined
  /** Called with problems that do not prevent the use of the store. */
  warn?: ((message: string) => void) | undefined
  deadlines?: Deadlines
}

/** The maximum size of a PUT. As the part size, it prevents multipart uploads. */
const maxPutBytes = 5 * 1024 ** 3

/**
 * Stores objects in a bucket of Amazon S3, MinIO or a compatible store. Throws an error with one line if the bucket
 * cannot be used, ObjectStoreUnavailable if the store cannot be reached.
 */
export async function openS3(location: S3Location, options: S3Options = {}): Promise<ObjectStore> {
  const store = new S3(location, options)
  try {
    await store.open()
  } catch (err) {
    await store.close()
    throw err
  }
  return store
}

class S3 implements ObjectStore {
  readonly #client: Client
  readonly #connections: Connections
  readonly #location: S3Location
  readonly #options: S3Options
  readonly #deadlines: Deadlines
  readonly #signUrl: ReturnType<typeof publicUrlSigner>

  constructor(location: S3Location, options: S3Options) {
    this.#location = location
    this.#options = options
    this.#deadlines = options.deadlines ?? defaultDeadlines
    this.#signUrl = publicUrlSigner(options.publicUrl, location)
    this.#connections = openConnections(location.tls, this.#deadlines)
    this.#client = new Client({
      endPoint: location.host,
      ...(location.port !== undefined && { port: location.port }),
      useSSL: location.tls,
      accessKey: location.accessKey,
      secretKey: location.secretKey,
      region: location.region,
      partSize: maxPutBytes,
      transport: this.#connections.transport,
      transportAgent: this.#connections.agent,
      // The client's retry writes to the console and repeats answered requests. Callers retry themselves.
      retryOptions: { disableRetry: true },
    })
  }

  async open(): Promise<void> {
    const { bucket, region } = this.#location
    await openBucket(this.#client, bucket, region)
    const { inputDays } = this.#options.retention ?? defaultRetention
    const warning = await keepInputsFor(inputDays, this.#client, bucket)
    if (warning !== undefined) this.#options.warn?.(warning)
  }

  async put(key: string, body: Uint8Array, contentType: string): Promise<void> {
    parseKey(key)
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    await this.#send('written to', (client, bucket) =>
      client.putObject(bucket, key, bytes, bytes.length, { 'content-type': contentType }),
    )
  }

  async info(key: string): Promise<ObjectInfo | undefined> {
    parseKey(key)
    return this.#send('read', async (client, bucket) => {
      try {
        const { size, lastModified } = await client.statObject(bucket, key)
        return { size, modifiedAt: lastModified }
      } catch (err) {
        // The response to HEAD does not say whether the object or the bucket is missing.
        if (codeOf(err) === 'NotFound' && (await mayExist(client, bucket))) return undefined
        throw err
      }
    })
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    parseKey(key)
    if (range && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`${range.start}-${range.end} is not a byte range`)
    }
    return this.#send('read', async (client, bucket) => {
      try {
        const response = await (range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key))
        if (!(response instanceof IncomingMessage))
          throw new TypeError('The S3 client does not return the HTTP response')
        if (range) assertRange(response, range)
        return wholeBody(response, this.#deadlines.idleMs)
      } catch (err) {
        if (codeOf(err) === 'NoSuchKey') throw new ObjectNotFound(key)
        // Like a file, an object has no bytes beyond its end.
        if (codeOf(err) === 'InvalidRange') return Readable.from([])
        throw err
      }
    })
  }

  async delete(key: string): Promise<void> {
    parseKey(key)
    await this.#send('written to', (client, bucket) => client.removeObject(bucket, key))
  }

  async *list(category: string): AsyncIterable<ListedObject> {
    assertCategory(category)
    const { bucket } = this.#location
    const pages = this.#client.listObjectsV2(bucket, `${category}/`, true)
    try {
      for await (const { name: key, size, lastModified } of pages as AsyncIterable<Partial<BucketItem>>) {
        if (key !== undefined && isKey(key)) yield { key, size: size ?? 0, modifiedAt: lastModified ?? new Date() }
      }
    } catch (err) {
      throw toUnavailable('listed', err)
    }
  }

  async publicUrl(key: string, options: PublicUrlOptions): Promise<string | undefined> {
    parseKey(key)
    return this.#signUrl?.(key, options)
  }

  async check(): Promise<void> {
    await this.#send('written to', probe)
  }

  async close(): Promise<void> {
    this.#connections.agent.destroy()
  }

  async #send<Value>(action: string, send: (client: Client, bucket: string) => Promise<Value>): Promise<Value> {
    try {
      return await retryIfStale(() => send(this.#client, this.#location.bucket))
    } catch (err) {
      if (err instanceof ObjectNotFound) throw err
      throw toUnavailable(action, err)
    }
  }
}

/** Throws if the store ignored the range, which would otherwise look like a corrupt object. */
function assertRange({ statusCode, headers }: IncomingMessage, { start, end }: ByteRange): void {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '') ?? []
  if (statusCode !== 206 || Number(first) !== start || !(Number(last) <= end)) {
    throw new Error('The object store did not return the requested range')
  }
}
