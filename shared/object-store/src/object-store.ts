import type { Readable } from 'node:stream'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'

export interface ObjectInfo {
  /** Bytes. */
  size: number
  modifiedAt: Date
}

export interface ListedObject extends ObjectInfo {
  key: string
}

/** A range with both ends inclusive, as in HTTP (RFC 9110, section 14.1.2). */
export interface ByteRange {
  start: number
  end: number
}

export interface PublicUrlOptions {
  expiresInS: number
  /** The `Content-Disposition` of the response (RFC 6266). */
  contentDisposition: string
}

/**
 * A store of files by key. Keys match `^[a-z]+\/[\w.-]{1,200}$`.
 * Every adapter passes `object-store.suite.ts`.
 */
export interface ObjectStore {
  /** Writes an object, durable when it resolves. An existing object is replaced atomically. */
  put(key: string, body: Uint8Array, contentType: string): Promise<void>
  /** Undefined if the object does not exist. */
  info(key: string): Promise<ObjectInfo | undefined>
  /** Throws ObjectNotFound. Destroying the reader releases its resources. */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** Durable when it resolves. Does nothing if the object does not exist. */
  delete(key: string): Promise<void>
  /**
   * The objects of a category, such as `pdfs`, in any order. With `stems`, only those whose name begins with one of
   * them and a dot, without reading the others. Objects that are written or deleted meanwhile may be missing. Throws
   * ObjectStoreUnavailable.
   */
  list(category: string, stems?: ReadonlySet<string>): AsyncIterable<ListedObject>
  /** A URL by which clients fetch the object from the store itself; undefined if the store has none. */
  publicUrl(key: string, options: PublicUrlOptions): Promise<string | undefined>
  /** Resolves if the store can be written to. Throws ObjectStoreUnavailable. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Which content an object has. It is another one after each change. */
export type ObjectTag = string

/** An object store for several machines, with conditional writes. */
export interface SharedObjectStore extends ObjectStore {
  /** Undefined if the object does not exist. */
  getTagged(key: string): Promise<{ body: Buffer; tag: ObjectTag } | undefined>
  /**
   * Writes an object if it has this tag or, without a tag, if it does not exist. Resolves with the new tag. Undefined
   * if nothing was written, or if an answer was lost and the repeated write found the first one. A store without
   * conditional writes always writes.
   */
  putIf(key: string, body: Uint8Array, expected: ObjectTag | undefined): Promise<ObjectTag | undefined>
}

export class ObjectNotFound extends Error {
  override readonly name = 'ObjectNotFound'

  constructor(key: string) {
    super(`No object ${key}`)
  }
}

export class InvalidKey extends Error {
  override readonly name = 'InvalidKey'
}

export class ObjectStoreUnavailable extends DependencyUnavailable {
  override readonly name = 'ObjectStoreUnavailable'
}
