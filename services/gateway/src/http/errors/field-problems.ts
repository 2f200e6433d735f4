import { fileNamePattern } from '@platen/domain/generation/job-details.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'
import { partialNamePattern } from '@platen/domain/partial/partial.ts'
import { labelPattern } from '@platen/domain/template/template-versions.ts'
import { cssLengthPattern } from '@platen/foundation/css-length.ts'
import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import type { ErrorObject } from 'ajv'

const patternProblems: Record<string, string> = {
  [fileNamePattern]: 'must be without control characters, / and \\',
  '\\S': 'must not be blank',
  [labelPattern]: 'must be 1 to 64 lower-case letters, digits, ., _ and -, the first a letter or digit',
  [partialNamePattern]: 'must be 1 to 64 letters, digits, _ and -, the first a letter',
  [cssLengthPattern]: 'must be a length with a unit, such as 210mm, 8.5in or 600px',
}

/** Limits the response to a body with very many invalid fields. */
export const maxProblems = 20

/**
 * Ajv's errors as the API reports them: one per field, with a dotted path such as `options.margin.top`. `part` is the
 * part of the request: `body`, `querystring`, `headers` or `params`.
 */
export function fieldProblems(errors: readonly ErrorObject[], part: string): FieldProblem[] {
  const problems = errors.slice(0, maxProblems).map((error) => fieldProblem(error, part))
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index)
}

function fieldProblem(error: ErrorObject, part: string): FieldProblem {
  const at = error.instancePath.split('/').slice(1).map(unescapePointer)
  const { params } = error
  if (error.propertyName !== undefined) return { path: dotted(at), message: `field names ${messageOf(error)}` }
  switch (error.keyword) {
    case 'required':
      return { path: dotted([...at, params.missingProperty]), message: 'is required' }
    case 'additionalProperties': {
      const allowed = Object.keys(error.parentSchema?.properties ?? {})
      const meant = closestName(params.additionalProperty, allowed)
      const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
      const field = part === 'querystring' ? 'query parameter' : 'field'
      return {
        path: dotted([...at, params.additionalProperty]),
        message: `is not a known ${field}${hint}; allowed: ${allowed.join(', ') || 'none'}`,
      }
    }
    default:
      // A parameter that is given twice arrives as an array.
      if (part === 'querystring' && Array.isArray(error.data))
        return { path: dotted(at), message: 'must be given once' }
      if (part === 'querystring' && error.keyword === 'type' && params.type === 'object')
        return { path: dotted(at), message: `must be given with a key: ${dotted(at)}[<key>]=…` }
      return { path: dotted(at), message: messageOf(error) }
  }
}

function messageOf({ keyword, params, message, data }: ErrorObject): string {
  // An integer that a number cannot hold is one only in the data of a template.
  if (typeof data === 'bigint') return 'is too large a number'
  switch (keyword) {
    case 'type':
      return `must be ${article([params.type].flat().join(' or '))}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'minimum':
      return `must be ${params.limit} or more`
    case 'maximum':
      return `must be ${params.limit} or less`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'pattern':
      return patternProblems[String(params.pattern)] ?? `must match ${params.pattern}`
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'maxProperties':
      return `must have at most ${params.limit} fields`
    case 'minProperties':
      return 'must have at least one field'
    default:
      return message ?? 'is not valid'
  }
}

function article(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

function dotted(steps: readonly string[]): string {
  return steps.map(readable).join('.')
}

/** RFC 6901, section 4. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

export function invalidField(path: string, message: string): never {
  return fail('VALIDATION_ERROR', `${path} ${message}`, [{ path, message }])
}

/** `part` (`the body`) is named where a problem concerns all of it and its path is empty. */
export function validationError(problems: readonly FieldProblem[], part: string): DomainError {
  const [first] = problems
  const message = `${first?.path || part} ${first?.message ?? 'is not valid'}`
  return new DomainError('VALIDATION_ERROR', message, { details: problems })
}
