import { type PdfFailure, PdfToolFailed } from '../task/pdf-tool-failed.ts'

/** What a client is told of an error. Libraries throw errors of their own at PDFs with a wrong structure. */
export function failureOf(err: unknown, step?: string): PdfFailure {
  if (err instanceof PdfToolFailed) return { ...err.toFailure(), step: err.step ?? step }
  const message = err instanceof Error ? err.message : String(err)
  if (err instanceof RangeError && /call stack/.test(message)) {
    return { reason: 'unreadable', message: 'The PDF is nested too deeply', step }
  }
  if (err instanceof RangeError && /alloc|array (buffer )?length|string length/i.test(message)) {
    return { reason: 'out-of-memory', message: 'The PDF needs more memory than there is for it', step }
  }
  return { reason: 'unreadable', message: `The PDF has a wrong structure: ${message.slice(0, 300)}`, step }
}
