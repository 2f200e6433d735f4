import type { ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import type { Warning } from '@platen/shared/contracts/warning.ts'
import type { RenderMode } from '../pages/prepared-page.ts'

export interface PrintJob {
  html: string
  headerHtml?: string
  footerHtml?: string
  options: ResolvedPdfOptions
  /** The API key in whose name it is printed: what one owner's documents leave on a page, no other's finds. */
  owner: string
  /** Somebody is waiting: goes before batch work. */
  interactive: boolean
  /** Gives up: the print rejects with its reason. */
  signal: AbortSignal
}

/** `markup`: what is looked at to decide how to print it (see `markup.ts`). */
export interface ScannedJob extends PrintJob {
  markup: string
}

export interface Printed {
  pdf: Uint8Array
  pages: number
  warnings: Warning[]
  engine: { name: string; version: string; mode: RenderMode }
}
