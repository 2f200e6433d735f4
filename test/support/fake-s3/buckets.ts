import { createHash } from 'node:crypto'
import { S3Refusal } from './refusal.ts'

export interface StoredObject {
  body: Buffer
  contentType: string
  etag: string
  modifiedAt: Date
}

export interface Bucket {
  objects: Map<string, StoredObject>
  /** XML, for a test to set. */
  lifecycle: string | undefined
}

/** The buckets of the server, in memory. */
export class Buckets {
  readonly #buckets = new Map<string, Bucket>()

  has(name: string): boolean {
    return this.#buckets.has(name)
  }

  make(name: string): void {
    if (this.has(name)) throw new S3Refusal(409, 'BucketAlreadyOwnedByYou')
    this.#buckets.set(name, { objects: new Map(), lifecycle: undefined })
  }

  remove(name: string): void {
    this.#buckets.delete(name)
  }

  find(name: string): Bucket {
    const bucket = this.#buckets.get(name)
    if (bucket === undefined) throw new S3Refusal(404, 'NoSuchBucket')
    return bucket
  }

  findObject(name: string, key: string): StoredObject {
    const object = this.find(name).objects.get(key)
    if (object === undefined) throw new S3Refusal(404, 'NoSuchKey')
    return object
  }
}

export function storedObject(body: Buffer, contentType: string): StoredObject {
  return { body, contentType, etag: `"${createHash('md5').update(body).digest('hex')}"`, modifiedAt: new Date() }
}
