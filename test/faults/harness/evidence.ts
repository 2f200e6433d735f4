import type { Json } from '@platen/foundation/json/json.ts'

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
  posts: Post[]
  answers: Answer[]
  changes: Change[]
  reads: Read[]
  log: LoggedEvent[]
  published: PublishedEvent[]
  objects: StoredObject[]
  /** PDFs left by a sweep that takes the time to be two hours later. */
  keptObjects: string[]
  polled: Polled[]
  views: View[]
  calls: Call[]
}

export interface Fault {
  name: string
  atMs: number
  endedMs: number
  /** Whether the moment that the fault waits for came. */
  met: boolean
  note?: string
  /** A process that had to start did not. */
  unstarted?: string
}

/** A generation that a client wants. It may be posted several times. */
export interface Post {
  n: number
  /** All tries have one Idempotency-Key, so they make one generation at most. */
  keyed: boolean
  tries: number
  /** The id in a 200, 202 or 504. */
  id?: string
  /** The text of the PDF. */
  text: string
  /** SHA-256 of the inline html, by which the log names it. */
  htmlSha256?: string
  webhookUrl?: string
  /** The template, and the newest version that was acknowledged before the first try. */
  template?: { id: string; atLeast: number }
  /** A cancel was sent. */
  cancelled: boolean
  /** What a synchronous answer or the first poll that found an end said. */
  told?: { status: string; size?: number; pages?: number }
}

/** An answer to any request; `cut` if none came. */
export interface Answer {
  request: string
  gateway: string
  status: number | 'cut'
  atMs: number
  ms: number
  phase: 'during' | 'after'
  /** Statuses under 500 that are right for this request. */
  expected: number[]
  code?: string
}

/** A change of a template, or its creation (version 1). Its html is unique. */
export interface Change {
  template: string
  html: string
  ifVersion?: number
  sentMs: number
  answeredMs: number
  status: number | 'cut'
  version?: number
}

export interface Read {
  template: string
  gateway: string
  sentMs: number
  status: number | 'cut'
  version?: number
}

export interface LoggedEvent {
  id: string
  /** `generation`, `template` or `delivery`. */
  category: string
  aggregate: string
  revision: number
  type: string
  data: Record<string, Json>
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
  /** It begins with `%PDF-` and was read by pdf.js. */
  isPdf: boolean
  pages: number
  /** The text of its first page. */
  text: string
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

/** What a gateway lists. `fresh`: its views were built from the start of the log. */
export interface View {
  gateway: string
  fresh: boolean
  generations: Record<string, string>
  templates: Record<string, string>
}

/** A webhook that a receiver got. */
export interface Call {
  path: string
  id: string
  verified: boolean
  sha256: string
  type: string
  generation: string
}

export const endings = ['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled']
