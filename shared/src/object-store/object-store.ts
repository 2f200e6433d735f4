import type { Readable } from 'node:stream'
import { DependencyUnavailable } from '../runtime/errors.ts'

export interface ObjectInfo {
  /** Bytes. */
  size: number
  modifiedAt: Date
}

/** Both ends inclusive, as in an HTTP range (RFC 9110, section 14.1.2). */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The port to whole files by key. Keys match `^[a-z]+\/[\w.-]{1,200}$`.
 * Every adapter passes `object-store.suite.ts`.
 */
export interface ObjectStore {
  /** Writes the whole object, durable when it resolves; an older one of that key is replaced at once or not at all. */
  put(key: string, body: Uint8Array, contentType: string): Promise<void>
  /** Undefined when there is none. */
  info(key: string): Promise<ObjectInfo | undefined>
  /** Throws ObjectNotFound. An aborted reader frees what it holds. */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** No error when there is none. */
  delete(key: string): Promise<void>
  /** An address a client can fetch without us, where the store has one. */
  publicUrl(key: string, options: { expiresInS: number; filename: string }): Promise<string | undefined>
  /** Resolves when the store can be reached and written to. Throws ObjectStoreUnavailable. */
  check(): Promise<void>
  close(): Promise<void>
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
