import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import {
  AppendTooLarge,
  type ExpectedRevision,
  InvalidPosition,
  OutcomeUnknown,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../event-store.ts'

// https://grpc.github.io/grpc/core/md_doc_statuscodes.html
const unknown = 2
const invalidArgument = 3
export const permissionDenied = 7
const failedPrecondition = 9
const aborted = 10
export const unauthenticated = 16

/** The gRPC status code. The client has no error class for some failures, such as a refused connection. */
export function codeOf(err: unknown): number | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'number' ? err.code : undefined
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : ''
}

/** The server timed out waiting for its disk or cluster. */
export function isServerTimeout(err: unknown): boolean {
  return codeOf(err) === aborted
}

/** Whether the stream does not exist, or was deleted for good by an operator. */
export function isUnknownStream(err: unknown): boolean {
  return err instanceof StreamNotFoundError || err instanceof StreamDeletedError
}

/** Converts the error of an append. Unless the append was certainly not written, it is OutcomeUnknown. */
export function appendError(err: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (err instanceof WrongExpectedVersionError) {
    const { actualVersion } = err
    const actual = typeof actualVersion === 'bigint' && actualVersion >= 0n ? Number(actualVersion) : 'none'
    return new WrongExpectedRevision(stream, expected, actual)
  }
  if (err instanceof MaxAppendSizeExceededError) {
    return new AppendTooLarge('The append is larger than the event store is configured to accept', { cause: err })
  }
  if (isDenied(err)) return denied(err)
  if (isPermanent(err)) return err
  if (wasNeverSent(err)) return new StoreUnavailable('The event store cannot be reached', { cause: err })
  return new OutcomeUnknown('The event store did not confirm the append', { cause: err })
}

export function readError(err: unknown): unknown {
  if (isDenied(err)) return denied(err)
  if (isPermanent(err)) return err
  return new StoreUnavailable('The event store cannot be read', { cause: err })
}

/**
 * Whether there is no event at the position where a read or subscription should begin. EventStoreDB 23.10 answers
 * UNKNOWN, with a sentence that it uses for other failures, too.
 */
export function isNoPosition(err: unknown): boolean {
  if (err instanceof StoreUnavailable) return isNoPosition(err.cause)
  const code = codeOf(err)
  if (code === invalidArgument) return /position/i.test(messageOf(err))
  // A node that knows no leader answers with UNKNOWN, too.
  return code === unknown && !/leader/i.test(messageOf(err))
}

/** The error that ends a subscription; undefined if it should reconnect. */
export function endOfSubscription(err: unknown): Error | undefined {
  if (err instanceof InvalidPosition) return err
  if (isNoPosition(err)) return undefined
  return isPermanent(err) && err instanceof Error ? err : undefined
}

function denied(err: unknown): StoreUnavailable {
  return new StoreUnavailable('The event store denied access to the user of EVENT_STORE_URL', { cause: err })
}

function isDenied(err: unknown): boolean {
  const code = codeOf(err)
  return err instanceof AccessDeniedError || code === permissionDenied || code === unauthenticated
}

/** A retry cannot help: the stream is tombstoned, the server does not know the call, or the code has a bug. */
function isPermanent(err: unknown): boolean {
  const code = codeOf(err)
  if (err instanceof StreamDeletedError || code === invalidArgument || code === failedPrecondition) return true
  return err instanceof TypeError || err instanceof RangeError
}

/** Matches messages of @grpc/grpc-js and of the client's cluster discovery, which have no code for these failures. */
function wasNeverSent(err: unknown): boolean {
  const never = /No connection established|Name resolution failed|Failed to discover/
  return err instanceof NotLeaderError || never.test(messageOf(err))
}
