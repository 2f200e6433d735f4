import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = join(import.meta.dirname, '../../../clients/behaviour')

/** A call, with the name of its method in Python. */
export interface Call {
  call: string
  input: Record<string, unknown>
  /** Default: the URL of the server, and a key. */
  server?: string
  key?: string
  options?: { idempotency_key?: string; timeout_ms?: number; retries?: number }
}

/** What the server does with one request. By default it answers with 200. */
export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | { repeat: string; times: number }
  json?: unknown
  /** The fields in which a completed generation differs from the usual one. */
  generation?: object
  /** The code of an error, with its `message` and `details`. */
  error?: string
  message?: string
  details?: unknown
  /** A PDF of so many bytes. A request for a range gets that range. */
  pdf?: number
  etag?: string
  /** Sends only this many bytes, with headers that match. */
  part?: number
  /** The connection breaks, or goes silent, after so many bytes. */
  break_after?: number
  silent_after?: number
  /** There is no answer. */
  silent?: boolean
  /** The connection is reset without an answer. */
  reset?: boolean
  /** Is sent instead of HTTP. */
  raw?: string
  header_bytes?: number
  /** The body, or what is sent instead of HTTP, is sent a byte at a time. */
  trickle_ms?: number
  /** `location` is on another host, or on another port. */
  elsewhere?: 'host' | 'port'
}

export interface ExpectedRequest {
  method?: string
  path?: string
  query?: Record<string, string>
  headers?: Record<string, string | null>
  json?: unknown
  key?: string
}

export interface Expectation {
  result?: unknown
  error?: Record<string, unknown>
  files?: string[]
  requests?: ExpectedRequest[]
  request_count?: number
  at_least_ms?: number
}

export interface Behaviour {
  title: string
  call: Call
  answers: Answer[]
  /** The answer to all requests after those of `answers`. */
  repeat?: Answer
  expect: Expectation
}

type Written = Omit<Behaviour, 'call' | 'answers'> & { calls?: Call[]; answers?: Answer[] } & Partial<Call>

const filesOfCalls = ['errors', 'faults', 'files', 'generations', 'lists', 'retries']

/** Every behaviour of every file, with one call each. */
export function readBehaviours(): Behaviour[] {
  return filesOfCalls.flatMap((file) =>
    (readJson(file) as Written[]).flatMap(
      ({ title, call, input, options, server, key, calls, answers = [], ...rest }) => {
        const one = { ...(options && { options }), ...(server && { server }), ...(key && { key }) }
        const all = calls ?? [{ call: call ?? '', input: input ?? {}, ...one }]
        return all.map((each) => ({ ...rest, title: `${file}: ${title} (${each.call})`, call: each, answers }))
      },
    ),
  )
}

export interface SignatureCase {
  title: string
  signed_with: ('new' | 'old')[]
  secrets: ('new' | 'old')[]
  age_s?: number
  append?: string
  headers?: Record<string, string | null>
  header_case?: 'upper'
  signature_version?: string
  bare_secret?: boolean
  accepted: boolean
}

export const readSignatureCases = () => readJson('webhooks') as SignatureCase[]

export interface Step extends Call {
  title: string
  /** A name for the result: `${name.field}` in a later input stands for its field. */
  as?: string
  expect: Pick<Expectation, 'result' | 'error'>
}

export const readSession = () => readJson('session') as Step[]

/** The files of the folder that nothing reads. */
export function unreadFiles(): string[] {
  const read = [...filesOfCalls, 'session', 'webhooks']
  return globSync('*.json', { cwd: folder }).filter((file) => !read.includes(basename(file, '.json')))
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
}
