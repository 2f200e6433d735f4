import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'

export function invalidField(path: string, message: string): never {
  return fail('VALIDATION_ERROR', `${path} ${message}`, [{ path, message }])
}

/** `part` (`the body`) is named where a problem concerns all of it and its path is empty. */
export function validationError(problems: readonly FieldProblem[], part: string): DomainError {
  const [first] = problems
  const message = `${first?.path || part} ${first?.message ?? 'is not valid'}`
  return new DomainError('VALIDATION_ERROR', message, { details: problems })
}
