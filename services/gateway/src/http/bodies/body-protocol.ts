import type { Failure } from '@platen/domain/http/failure.ts'
import type { BodySchema } from './excerpt.ts'

export interface BodyTask {
  bytes: Uint8Array
  /** The schema of the body. */
  schema: BodySchema
  /** The fields that are returned as a text, if they are objects. */
  textFields: readonly string[]
  /** Whether the hash is needed. */
  isHashed: boolean
  /** The body is an item of a batch, whose file name may have values of its `data`. */
  item?: ItemPlace
}

/** What the file name of an item is made with, beside its data. */
export interface ItemPlace {
  /** 1 for the first. */
  index: number
  /** That of the batch, for an item without one. */
  pattern: string | undefined
}

/** A body that was parsed in a thread, with its values still as JSON. */
export interface ReadBody {
  /** Values of the `textFields`, unparsed. */
  texts: Readonly<Record<string, string>>
  /**
   * JSON of the other fields, reduced to what validation reads, and of the `textFields` without values. If the body is
   * no object, all of it.
   */
  rest: string
  /** JSON of the fields `textFields`, by name. */
  jsons: Readonly<Record<string, string>>
  /** The hash of the whole body, independent of the order of its fields. */
  sha256?: string
  /** Of an `item`. */
  fileName?: string | undefined
}

export type BodyResult = { body: ReadBody } | { failure: Failure }
