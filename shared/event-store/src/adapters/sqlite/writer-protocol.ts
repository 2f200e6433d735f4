import {
  type ExpectedRevision,
  OutcomeUnknown,
  StoreLocked,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../event-store.ts'
import type { Append, Written } from './stream-writer.ts'

/** The worker data of the writer thread. */
export interface WriterSettings {
  path: string
  token: string
}

export interface WriteRequest {
  id: number
  append: Append
  /** How long to retry while another process has locked the file. */
  timeoutMs: number
}

export type WriteResult = Written | { failure: WriteFailure }
export type WriteAnswer = WriteResult & { id: number }

const failures = { StoreLocked, StoreUnavailable, OutcomeUnknown }

/** Errors lose their class when they are posted between threads. */
export type WriteFailure =
  | { name: 'WrongExpectedRevision'; expected: ExpectedRevision; actual: number | 'none' }
  | { name: keyof typeof failures; message: string; cause: unknown }

export function failureOf(err: unknown): WriteFailure {
  if (err instanceof WrongExpectedRevision) {
    return { name: err.name, expected: err.expected, actual: err.actual }
  }
  const { message, cause } = err instanceof Error ? err : new Error(String(err))
  if (err instanceof StoreLocked) return { name: 'StoreLocked', message, cause }
  return { name: err instanceof StoreUnavailable ? 'StoreUnavailable' : 'OutcomeUnknown', message, cause }
}

export function errorOf(failure: WriteFailure, stream: string): Error {
  if (failure.name === 'WrongExpectedRevision') {
    return new WrongExpectedRevision(stream, failure.expected, failure.actual)
  }
  const { message, cause } = failure
  return new failures[failure.name](message, { cause })
}
