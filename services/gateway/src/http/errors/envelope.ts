import { errorCatalogue } from '@platen/domain/http/error-catalogue.ts'
import type { DomainError } from '@platen/domain/http/errors.ts'
import type { ErrorEnvelope } from '@platen/domain/http/http.ts'
import { securityHeaders } from '../headers/security-headers.ts'

/** With a 503 that does not say it. */
const retryAfterS = 2

/** Sent with a generation that has not ended: when to look again, in seconds. */
export const pollAgain = { 'retry-after': '1' }

function locationOf({ details }: DomainError): { location?: string } {
  const url = typeof details === 'object' && details && 'poll_url' in details ? details.poll_url : undefined
  return typeof url === 'string' ? { location: url } : {}
}

function retryAfterOf({ details }: DomainError, status: number): { 'retry-after'?: string } {
  const known = typeof details === 'object' && details && 'retry_after_s' in details ? details.retry_after_s : undefined
  if (typeof known === 'number') return { 'retry-after': String(known) }
  return status === 503 ? { 'retry-after': String(retryAfterS) } : {}
}

/** Status, headers and body of an error response. */
export function errorResponse(error: DomainError, requestId: string) {
  const body: ErrorEnvelope = { error: error.toFailure(), request_id: requestId }
  const { status } = errorCatalogue[error.code]
  const headers: Record<string, string> = {
    ...securityHeaders,
    'cache-control': 'no-store',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...retryAfterOf(error, status),
    ...(error.code === 'WAIT_TIMEOUT' && { ...pollAgain, ...locationOf(error) }),
  }
  return { status, headers, body }
}
