import { errorCatalogue } from '@platen/shared/contracts/error-catalogue.ts'
import type { ErrorEnvelope } from '@platen/shared/contracts/http.ts'
import type { DomainError } from '@platen/shared/runtime/errors.ts'
import { securityHeaders } from '../headers/security-headers.ts'

/** Where the error does not say it. */
const retryAfterS = 2

function retryAfterOf({ details }: DomainError): string {
  const known = typeof details === 'object' && details && 'retry_after_s' in details ? details.retry_after_s : undefined
  return String(typeof known === 'number' ? known : retryAfterS)
}

/** Status, headers and body of an error response. */
export function errorResponse(error: DomainError, requestId: string) {
  const body: ErrorEnvelope = { error: error.toFailure(), request_id: requestId }
  const { status } = errorCatalogue[error.code]
  const headers: Record<string, string> = {
    ...securityHeaders,
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 503 && { 'retry-after': retryAfterOf(error) }),
  }
  return { status, headers, body }
}
