import type { IgnoredArea } from '@platen/domain/generation/page-comparison.ts'

/** One of the PDFs cannot be opened without a password. */
export interface NeedsPassword {
  needsPassword: 'from' | 'to'
}

export interface PagesToCompare {
  /** PDFs. */
  from: Uint8Array
  to: Uint8Array
  /** Whether pages that differ are returned with their pictures. */
  images: boolean
  ignored: readonly IgnoredArea[]
  limits: { pixels: number; boxes: number; imagesBytes: number }
}
