import { DomainError as AnyDomainError } from '@platen/foundation/errors/errors.ts'

/** The codes of this package's errors. Each is in the error catalogue of the HTTP API. */
export const templatingErrorCodes = [
  'TEMPLATE_SYNTAX_ERROR',
  'TEMPLATE_RENDER_ERROR',
  'TEMPLATE_TOO_COMPLEX',
  'RENDER_LIMIT_EXCEEDED',
  'VALIDATION_ERROR',
] as const
export type TemplatingErrorCode = (typeof templatingErrorCodes)[number]

export type DomainError = AnyDomainError<TemplatingErrorCode>
export const DomainError: typeof AnyDomainError<TemplatingErrorCode> = AnyDomainError
