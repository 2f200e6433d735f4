import { DomainError } from '../errors/errors.ts'

/** The limit on the HTML of a filled template, in bytes. */
export const maxRenderedBytes = 16 * 1024 * 1024

/** Ends a loop whose output is too large, before it fills the memory. */
export function bounded(inside: HandlebarsTemplateDelegate): HandlebarsTemplateDelegate {
  let length = 0
  return (context, options) => {
    const text = inside(context, options)
    length += text.length
    return length > maxRenderedBytes ? tooLarge() : text
  }
}

/** Partials that call each other several times could fill the memory before the document is complete. */
export function limitedPartial(run: HandlebarsTemplateDelegate): HandlebarsTemplateDelegate {
  return (context, options) => {
    const text = run(context, options)
    return text.length > maxRenderedBytes ? tooLarge() : text
  }
}

/** Limits the result of each call: strings that double with each call could exhaust the memory of the process. */
export function limited(result: unknown): unknown {
  return typeof result === 'string' && result.length > maxRenderedBytes ? tooLarge() : result
}

export function tooLarge(): never {
  throw limitExceeded()
}

export function limitExceeded(): DomainError {
  const limit = `${maxRenderedBytes / 1024 / 1024} MiB`
  return new DomainError('RENDER_LIMIT_EXCEEDED', `the HTML of the filled template is larger than ${limit}`, {
    details: { limit: maxRenderedBytes },
  })
}
