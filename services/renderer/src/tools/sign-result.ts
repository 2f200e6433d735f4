import { createHash } from 'node:crypto'
import type { SignStep } from '@platen/domain/document/output-options.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { SigningKeys } from '@platen/pdf-tools/sign/signing-keys.ts'
import type { PdfResult } from '@platen/pdf-tools/task/task.ts'

/** The keys of this deployment: undefined if it has none. */
export interface Signing {
  keys: SigningKeys | undefined
  step: SignStep
  /** The ids of the owner and the API key of the request. */
  callers: readonly string[]
}

/** Who signs. Throws DomainError PDF_TOOL_ERROR. */
export async function signerOf({ keys, step, callers }: Signing): Promise<string> {
  if (!keys) throw failed('unsupported', 'This deployment has no signing keys')
  return keys.signerOf(step.key, callers).catch(toDomainError)
}

/** How long the signatures may take. */
export interface SigningBounds {
  signal: AbortSignal
  limitMs: number
}

/**
 * Writes the value of each signature, and corrects the result of the step. Throws DomainError PDF_TOOL_ERROR and
 * RENDER_TIMEOUT, and the reason of the signal.
 */
export async function completeSignatures(
  { files, steps, ...result }: PdfResult,
  { keys, step }: Signing,
  { signal, limitMs }: SigningBounds,
): Promise<PdfResult> {
  const start = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(outOfTime(limitMs)), limitMs)
  const until = AbortSignal.any([signal, timeout.signal])
  const signed: PdfResult['files'] = []
  try {
    for (const file of files) {
      const bytes = (await keys?.complete(file.bytes, step.key, until).catch(toDomainError)) ?? file.bytes
      signed.push({ ...file, bytes })
      until.throwIfAborted()
    }
  } finally {
    clearTimeout(timer)
  }
  const hash = createHash('sha256')
  for (const { bytes } of signed) hash.update(bytes)
  const sha256 = hash.digest('hex')
  const ms = Math.round(performance.now() - start)
  const corrected = steps.map((each) => (each.step === 'sign' ? { ...each, sha256, ms: each.ms + ms } : each))
  return { ...result, files: signed, steps: corrected }
}

function toDomainError(err: unknown): never {
  if (!(err instanceof Error)) throw err
  if (err.name === 'SigningKeyUnusable') throw failed('invalid', err.message)
  if (err.name === 'TimeStampFailed') throw failed('time-stamp', `There is no time stamp: ${err.message}`)
  throw err
}

function outOfTime(limitMs: number): DomainError {
  const message = `sign: To sign the PDF takes more than ${limitMs / 1_000} s`
  return new DomainError('RENDER_TIMEOUT', message, { details: { reason: 'out-of-time', step: 'sign' } })
}

function failed(reason: string, message: string): DomainError {
  return new DomainError('PDF_TOOL_ERROR', `sign: ${message}`, { details: { reason, step: 'sign' } })
}
