import type { FieldProblem } from '@platen/shared/contracts/http.ts'
import { DomainError, fail } from '@platen/shared/runtime/errors.ts'

export function invalidField(path: string, message: string): never {
  return fail('VALIDATION_ERROR', `${path} ${message}`, [{ path, message }])
}

/** `path` of a problem of the whole part is empty: the part is named instead. */
export function validationError(problems: readonly FieldProblem[], part: string): DomainError {
  const [first] = problems
  const message = `${first?.path || part} ${first?.message ?? 'is not valid'}`
  return new DomainError('VALIDATION_ERROR', message, { details: problems })
}
