import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Client } from 'minio'
import { parseKey } from '../../object-key.ts'
import { type ByteRange, type ObjectInfo, ObjectNotFound, type ObjectStore } from '../../object-store.ts'
import { wholeBody } from './body.ts'
import { bucketSeemsThere, openBucket, probe } from './bucket.ts'
import { codeOf, toUnavailable } from './errors.ts'
import { publicAddresses } from './public-url.ts'
import { keepInputsFor } from './retention.ts'
import { type Connections, type Deadlines, defaultDeadlines, onceMoreIfStale, openConnections } from './transport.ts'
import type { S3Address } from './url.ts'

export interface S3Options {
  /** `https://host[:port]` by which clients reach the same store. */
  publicUrl?: string | undefined
  inputRetentionDays?: number | undefined
  /** Told what does not work and does not hinder. */
  warn?: ((message: string) => void) | undefined
  deadlines?: Deadlines
}

const defaultInputRetentionDays = 7

/** The most that one PUT may carry. Set as the part size, it keeps the client from uploads in parts. */
const maxPutBytes = 5 * 1024 ** 3

/**
 * Objects in a bucket of Amazon S3, MinIO or another store of that protocol. Throws one clear line if the bucket cannot
 * be used, ObjectStoreUnavailable if the store cannot be reached.
 */
export async function openS3(address: S3Address, options: S3Options = {}): Promise<ObjectStore> {
  const store = new S3(address, options)
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
  readonly #address: S3Address
  readonly #options: S3Options
  readonly #deadlines: Deadlines
  readonly #publicAddress: ReturnType<typeof publicAddresses>

  constructor(address: S3Address, options: S3Options) {
    this.#address = address
    this.#options = options
    this.#deadlines = options.deadlines ?? defaultDeadlines
    this.#publicAddress = publicAddresses(options.publicUrl, address)
    this.#connections = openConnections(address.tls, this.#deadlines)
    this.#client = new Client({
      endPoint: address.host,
      ...(address.port !== undefined && { port: address.port }),
      useSSL: address.tls,
      accessKey: address.accessKey,
      secretKey: address.secretKey,
      region: address.region,
      partSize: maxPutBytes,
      transport: this.#connections.transport,
      transportAgent: this.#connections.agent,
      // It would write to the console, ask only once more, and after an answer at that. Who waits here knows better.
      retryOptions: { disableRetry: true },
    })
  }

  async open(): Promise<void> {
    const { bucket, region } = this.#address
    await openBucket(this.#client, bucket, region)
    const days = this.#options.inputRetentionDays ?? defaultInputRetentionDays
    const warning = await keepInputsFor(days, this.#client, bucket)
    if (warning !== undefined) this.#options.warn?.(warning)
  }

  async put(key: string, body: Uint8Array, contentType: string): Promise<void> {
    parseKey(key)
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    await this.#ask('written to', (client, bucket) =>
      client.putObject(bucket, key, bytes, bytes.length, { 'content-type': contentType }),
    )
  }

  async info(key: string): Promise<ObjectInfo | undefined> {
    parseKey(key)
    return this.#ask('read', async (client, bucket) => {
      try {
        const { size, lastModified } = await client.statObject(bucket, key)
        return { size, modifiedAt: lastModified }
      } catch (err) {
        // HEAD does not say whether the object is missing or the whole bucket.
        if (codeOf(err) === 'NotFound' && (await bucketSeemsThere(client, bucket))) return undefined
        throw err
      }
    })
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    parseKey(key)
    if (range && !(range.start >= 0 && range.end >= range.start)) {
      throw new RangeError(`${range.start}-${range.end} is not a byte range`)
    }
    return this.#ask('read', async (client, bucket) => {
      try {
        const answer = await (range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key))
        if (!(answer instanceof IncomingMessage)) throw new TypeError('The S3 client no longer gives the HTTP answer')
        if (range) assertPart(answer, range)
        return wholeBody(answer, this.#deadlines.idleMs)
      } catch (err) {
        if (codeOf(err) === 'NoSuchKey') throw new ObjectNotFound(key)
        // As with a file: past its end there are no bytes.
        if (codeOf(err) === 'InvalidRange') return Readable.from([])
        throw err
      }
    })
  }

  async delete(key: string): Promise<void> {
    parseKey(key)
    await this.#ask('written to', (client, bucket) => client.removeObject(bucket, key))
  }

  async publicUrl(key: string, options: { expiresInS: number; filename: string }): Promise<string | undefined> {
    parseKey(key)
    return this.#publicAddress?.(key, options)
  }

  async check(): Promise<void> {
    await this.#ask('written to', probe)
  }

  async close(): Promise<void> {
    this.#connections.agent.destroy()
  }

  async #ask<Value>(done: string, ask: (client: Client, bucket: string) => Promise<Value>): Promise<Value> {
    try {
      return await onceMoreIfStale(() => ask(this.#client, this.#address.bucket))
    } catch (err) {
      if (err instanceof ObjectNotFound) throw err
      throw toUnavailable(done, err)
    }
  }
}

/** A store that reads ranges in its own way would else pass for a broken file. */
function assertPart({ statusCode, headers }: IncomingMessage, { start, end }: ByteRange): void {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '') ?? []
  if (statusCode !== 206 || Number(first) !== start || !(Number(last) <= end)) {
    throw new Error('The object store does not serve the range that was asked for')
  }
}
