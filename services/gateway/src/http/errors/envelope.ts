import type { ErrorEnvelope } from '@platen/shared/contracts/http.ts'
import type { DomainError } from '@platen/shared/runtime/errors.ts'
import { statuses } from './statuses.ts'

/** When a client may try again, in seconds. */
const retryAfterS = '2'

/** An error as HTTP sends it, whatever the road it takes out. */
export function errorAnswer(error: DomainError, requestId: string) {
  const body: ErrorEnvelope = { error: error.toFailure(), request_id: requestId }
  const status = statuses[error.code]
  const headers: Record<string, string> = {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 503 && { 'retry-after': retryAfterS }),
  }
  return { status, headers, body }
}
