import type { Json } from '@platen/foundation/json/json.ts'
import type { BatchPost, BatchRead } from './batches/batch-post.ts'
import type { Election } from './cluster/elections.ts'
import type { Post } from './generations/post.ts'
import type { VerbEvidence } from './verbs/verb-evidence.ts'

/** Everything that the checker judges. It is plain JSON, so that a run can be saved, changed and judged again. */
export interface Evidence {
  /** The URL of the gateways, as in file URLs. */
  secret: string
  faults: Fault[]
  /** When the last fault had ended and every process was started again, in ms since 1970. */
  healedAtMs: number
  /** How long after that every accepted generation had ended and every webhook was delivered; undefined: it did not happen. */
  settledAfterMs: number | null
  settleLimitMs: number
  /** Ids of all operations of the OpenAPI document that write. */
  operations: string[]
  posts: Post[]
  batches: BatchPost[]
  batchReads: BatchRead[]
  answers: Answer[]
  writes: Write[]
  reads: Read[]
  lists: Listed[]
  log: LoggedEvent[]
  published: PublishedEvent[]
  objects: StoredObject[]
  /**
   * PDFs and assets that are left after a sweep with a clock two hours ahead, and inputs after one eight days ahead.
   */
  keptObjects: string[]
  kept: KeptRead[]
  polled: Polled[]
  views: View[]
  calls: Call[]
  streams: StreamUse[]
  /** Empty if the event store is in the process. */
  costs: Cost[]
  verbs: VerbEvidence
}

export interface Fault {
  name: string
  atMs: number
  endedMs: number
  /** Whether the moment that the fault waits for came. */
  met: boolean
  note?: string
  /** Whether commands and their replies are undisturbed: then recorded changes must be answered as recorded. */
  sparesCommands?: true
  /** A process that had to start did not. */
  unstarted?: string
  /** Of a node of a cluster that was away. */
  election?: Election
}

/**
 * `refused`: nothing listened, so nothing was sent. `broken`: the connection ended. `late`: the client stopped waiting.
 */
export type Lost = 'refused' | 'broken' | 'late'

/** An answer to any request; `cut` if none came. */
export interface Answer {
  /** The id of the operation in the OpenAPI document. */
  operation: string
  request: string
  gateway: string
  status: number | 'cut'
  atMs: number
  ms: number
  phase: 'during' | 'after'
  /** Statuses under 500 that are right for this request. */
  expected: number[]
  code?: string
  /** Why there is none. */
  lost?: Lost
}

/** A request that changes something else than a generation, with its answer. */
export interface Write {
  operation: string
  /** The id or name of what it changes, as the client knows it. */
  subject: string
  gateway: string
  sentMs: number
  answeredMs: number
  status: number | 'cut'
  code?: string
  /** The `x-request-id` of the answer, by which events name their request. */
  request?: string
  /** Its Idempotency-Key: all tries with it are one request. */
  key?: string
  /** What the client asked for. */
  sent: Sent
  /** The entity tag of the answer, without quotes and encoding. */
  etag?: string
  body?: Record<string, Json>
}

export interface Sent {
  html?: string
  /** The version of `If-Match`. */
  ifVersion?: number
  /** The SHA-256 of `If-Match`, and whether there was `If-None-Match: *`. */
  ifSha256?: string
  ifNone?: boolean
  sha256?: string
  /** The version to restore, or to give a label. */
  version?: number
  label?: string
  name?: string
  status?: string
  /** For a merge patch: the name of the merged sample. */
  sample?: string
  merged?: Json
}

/** A GET of a template or a partial. */
export interface Read {
  stream: string
  gateway: string
  sentMs: number
  status: number | 'cut'
  version?: number
}

/** A list with filters, of which all pages were read. */
export interface Listed {
  gateway: string
  query: string
  /** The generations that were accepted before, and have what the filter asks for. */
  wanted: string[]
  /** What the list had: whether each has what the filter asks for. */
  got: { id: string; fits: boolean }[]
}

export interface LoggedEvent {
  id: string
  /** `generation`, `template`, … */
  category: string
  aggregate: string
  revision: number
  type: string
  data: Record<string, Json>
  /** The id of the request that caused it. */
  request: string
}

export interface PublishedEvent {
  seq: number
  subject: string
  id: string
  aggregate: string
  revision: number
  type: string
  data: Json
}

export interface StoredObject {
  key: string
  size: number
  sha256: string
  /** Whether the file begins with `%PDF-` and pdf.js can read it. */
  isPdf: boolean
  pages: number
  /** The text of its first page. */
  text: string
}

/** A key of a kept input, with what the object that its generation names has; nothing if it cannot be read. */
export interface KeptRead {
  id: string
  htmlSha256?: string
  template?: { id: string; version: number }
}

/** The last GET of a generation, at each gateway. */
export interface Polled {
  id: string
  gateway: string
  httpStatus: number
  status?: string
  size?: number
  pages?: number
}

/** What a gateway lists, or a process keeps: the rows of each kind by their id. `fresh`: built from the start of the log. */
export interface View {
  gateway: string
  fresh: boolean
  rows: Record<string, Record<string, string>>
}

/** A webhook that a receiver got. */
export interface Call {
  path: string
  id: string
  verified: boolean
  sha256: string
  type: string
  generation: string
  atMs: number
}

/** A stream of NATS, or the stream of a bucket. 0 or less: no limit. */
export interface StreamUse {
  name: string
  messages: number
  bytes: number
  maxBytes: number
  maxAgeS: number
}

/** The bytes between the product and the event store for a request, on a young aggregate and on one with a long history. */
export interface Cost {
  what: string
  young: number
  old: number
}

/** The event after the end of an erased generation. */
export const contentErased = 'ContentErased'
export const endings = ['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled']
