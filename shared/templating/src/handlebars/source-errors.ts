import { DomainError } from '../errors/errors.ts'
import { limitExceeded } from './rendered-limit.ts'
import { partialSource, TemplateProblem } from './template-problem.ts'

/**
 * Converts every error to a DomainError whose message and details name the source: `name`, or the partial that has the
 * problem.
 */
export function reporting<Result>(
  source: string,
  name: string,
  partialSources: Readonly<Record<string, string>>,
  work: () => Result,
): Result {
  try {
    return work()
  } catch (err) {
    const partial = err instanceof TemplateProblem ? err.partial : undefined
    const text = partial === undefined ? undefined : partialSources[partial]
    throw partial === undefined || text === undefined
      ? errorOf(err, source, name)
      : errorOf(err, text, partialSource(partial))
  }
}

function errorOf(err: unknown, source: string, name: string): DomainError {
  if (err instanceof TemplateProblem) return err.inSource(source, name)
  const details = { source: name }
  if (err instanceof DomainError) {
    return new DomainError(err.code, `${name}: ${err.message}`, {
      details: { ...details, ...Object(err.details) },
      cause: err,
    })
  }
  if (err instanceof RangeError && /call stack/.test(err.message)) {
    return new DomainError('TEMPLATE_TOO_COMPLEX', `${name}: the template is nested too deeply`, {
      details,
      cause: err,
    })
  }
  if (err instanceof RangeError && /string length/.test(err.message)) return errorOf(limitExceeded(), source, name)
  const problem = err instanceof Error ? err.message : String(err)
  return new DomainError('TEMPLATE_RENDER_ERROR', `${name}: ${problem}`, { details, cause: err })
}
