/**
 * Why a task failed. `invalid`: what was asked for cannot be done with this PDF, such as a field that it does not have.
 * `crashed`: the process has exited for another reason than its bounds.
 */
export type PdfFailureReason =
  | 'encrypted'
  | 'wrong-password'
  | 'unreadable'
  | 'unsupported'
  | 'invalid'
  | 'too-many-pages'
  | 'too-large'
  | 'out-of-time'
  | 'out-of-memory'
  | 'crashed'

export interface PdfFailure {
  reason: PdfFailureReason
  message: string
  /** The operation or the step; undefined if the process was ended before it could tell. */
  step?: string | undefined
}

/** The input cannot be processed. The message is for the client, and has no content of the PDF beyond names. */
export class PdfToolFailed extends Error {
  override readonly name = 'PdfToolFailed'
  readonly reason: PdfFailureReason
  readonly step: string | undefined

  constructor({ reason, message, step }: PdfFailure, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
    this.step = step
  }

  toFailure(): PdfFailure {
    return { reason: this.reason, message: this.message, step: this.step }
  }
}

/** The error code of a failure at a limit. */
export function limitCodeOf(reason: PdfFailureReason): 'RENDER_LIMIT_EXCEEDED' | 'PDF_TOO_COMPLEX' | undefined {
  if (reason === 'too-many-pages' || reason === 'too-large') return 'RENDER_LIMIT_EXCEEDED'
  return reason === 'out-of-memory' || reason === 'out-of-time' || reason === 'crashed' ? 'PDF_TOO_COMPLEX' : undefined
}

/** Throws a PdfToolFailed as an expression. */
export function refuse(reason: PdfFailureReason, message: string): never {
  throw new PdfToolFailed({ reason, message })
}
