import type { OutputSteps, StepResult } from '@platen/domain/document/output-options.ts'
import type { PdfOperation } from '@platen/domain/document/pdf-operation.ts'
import type { IgnoredArea } from '@platen/domain/generation/page-comparison.ts'
import type { DocumentForm } from './document-form.ts'

/** A PDF that a task reads. */
export interface PdfSource {
  bytes: Uint8Array
  /** The user or the owner password of an encrypted PDF. */
  password?: string
  /** What outlines and messages call it; default: the title of the PDF, or its number. */
  name?: string
}

/** A font in TrueType or OpenType format. */
export interface FontFile {
  /** Its PostScript name. */
  name: string
  bytes: Uint8Array
  /** The number of the font in a collection; 0 for a file with one. */
  index: number
}

/** The pages of two PDFs. The result is the JSON of ComparedPage[]. */
export interface ComparePages {
  operation: 'compare'
  /** Whether pages that differ have their pictures. */
  images: boolean
  ignored: readonly IgnoredArea[]
}

export interface PdfTask {
  /** At least one; operations other than merge and compare take one. */
  sources: readonly PdfSource[]
  /** What steps name: the bytes of assets by their names. */
  files: Readonly<Record<string, Uint8Array>>
  operation: PdfOperation | ComparePages
  /** The form of the document that was printed. Its fields are made before the steps. */
  form?: DocumentForm
  /** Done after the operation, to each of its results. */
  steps?: OutputSteps
  /**
   * The fonts of texts of stamps and signatures, which get into the PDF. Without them, the font is Helvetica. Fields have one of them if
   * Helvetica lacks a character.
   */
  fonts?: readonly FontFile[] | undefined
  /** Who signs, by the certificate of the key. The step `sign` needs it. */
  signer?: string | undefined
}

export interface PdfBounds {
  /** For one task, from when it begins. */
  timeoutMs: number
  /** The memory of the process, in MiB. */
  memoryMb: number
  /** Pages of all sources together, and of all results together. */
  maxPages: number
  /** Bytes of all sources together, and of all results together. */
  maxBytes: number
}

export interface PdfFile {
  bytes: Uint8Array
  mediaType: 'application/pdf' | 'application/json' | 'image/png' | 'image/jpeg' | 'image/webp'
  /** Of a PDF: how many it has. */
  pages?: number
  /** Of a picture: which page it shows, counted from 1. */
  page?: number
}

export interface PdfWarning {
  /** The operation or the step. */
  step: string
  message: string
}

export interface PdfResult {
  /** One file, or those of split or images. */
  files: PdfFile[]
  /** The operation, and then each step, in the order in which they were done. Of several files: of all together, in order. */
  steps: StepResult[]
  warnings: PdfWarning[]
}
