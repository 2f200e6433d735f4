import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'

/** The error of an attempt whose file could not be read for long, while its store could be used. The text is public. */
export const lostFile = 'the file could not be read in time from the object store, again and again'

/** The body of a request could not be read, before or while it was sent. The receiver is not at fault. */
export class BodyUnavailable extends DependencyUnavailable {
  override readonly name = 'BodyUnavailable'

  constructor(options?: { cause: unknown }) {
    super('The body of a webhook could not be read to its end', options)
  }
}
