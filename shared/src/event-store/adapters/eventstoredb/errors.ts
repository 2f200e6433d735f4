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
const invalidArgument = 3
const permissionDenied = 7
const failedPrecondition = 9
const aborted = 10
const unauthenticated = 16

/** The code that gRPC gave. The client's classes do not tell: a refused connection has none of them. */
function codeOf(err: unknown): number | undefined {
  return err instanceof Error && 'code' in err && typeof err.code === 'number' ? err.code : undefined
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : ''
}

/** The server waited for its own disk or cluster and gave up. */
export function isServerTimeout(err: unknown): boolean {
  return codeOf(err) === aborted
}

export function isUnknownStream(err: unknown): boolean {
  return err instanceof StreamNotFoundError
}

/** What an append failed of. All that is not known to have gone by the log may have been written to it. */
export function appendError(err: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (err instanceof WrongExpectedVersionError) {
    const { actualVersion } = err
    const actual = typeof actualVersion === 'bigint' && actualVersion >= 0n ? Number(actualVersion) : 'none'
    return new WrongExpectedRevision(stream, expected, actual)
  }
  if (err instanceof MaxAppendSizeExceededError) {
    return new AppendTooLarge('The append is larger than the event store is set up to take', { cause: err })
  }
  if (isDenied(err)) return denied(err)
  if (isLasting(err)) return err
  if (wasNeverSent(err)) return new StoreUnavailable('The event store cannot be reached', { cause: err })
  return new OutcomeUnknown('The event store did not say what became of the append', { cause: err })
}

export function readError(err: unknown): unknown {
  if (isDenied(err)) return denied(err)
  if (isLasting(err)) return err
  return new StoreUnavailable('The event store cannot be read', { cause: err })
}

/** What a subscription cannot go on after. Undefined: another connection may do. */
export function endOfSubscription(err: unknown): Error | undefined {
  if (isDenied(err)) return denied(err)
  if (codeOf(err) === invalidArgument && /position/i.test(messageOf(err))) {
    return new InvalidPosition('The position is not of this store', { cause: err })
  }
  return isLasting(err) && err instanceof Error ? err : undefined
}

function denied(err: unknown): StoreUnavailable {
  return new StoreUnavailable('The event store refuses the user of EVENT_STORE_URL', { cause: err })
}

function isDenied(err: unknown): boolean {
  const code = codeOf(err)
  return err instanceof AccessDeniedError || code === permissionDenied || code === unauthenticated
}

/** Waiting would not help: a tombstoned stream, a call that the server does not understand, a fault of our own. */
function isLasting(err: unknown): boolean {
  const code = codeOf(err)
  if (err instanceof StreamDeletedError || code === invalidArgument || code === failedPrecondition) return true
  return err instanceof TypeError || err instanceof RangeError
}

/** The words are those of @grpc/grpc-js and of the client's cluster discovery, which have no code for this. */
function wasNeverSent(err: unknown): boolean {
  const never = /No connection established|Name resolution failed|Failed to discover/
  return err instanceof NotLeaderError || never.test(messageOf(err))
}
