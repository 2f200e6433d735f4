import type { ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import type { Warning } from '@platen/shared/contracts/warning.ts'
import type { RenderMode } from '../browser-pool/browser-page.ts'
import type { DocumentTraits, FragmentTraits } from '../inspect-document/document-traits.ts'
import { inspectDocument } from '../inspect-document/inspect-document.ts'
import { inspectFragment } from '../inspect-document/inspect-fragment.ts'

export interface PrintJob {
  html: string
  headerHtml?: string
  footerHtml?: string
  options: ResolvedPdfOptions
  /** The API key in whose name it is printed: what one owner's documents leave on a page, no other's finds. */
  owner: string
  /** A caller is waiting: the job goes before batch work. */
  interactive: boolean
  /** Cancels: the print rejects with its reason. */
  signal: AbortSignal
}

/** A job whose texts have been inspected, once. */
export interface InspectedJob extends PrintJob {
  traits: DocumentTraits
  header: FragmentTraits
  footer: FragmentTraits
}

export interface Printed {
  pdf: Uint8Array
  pages: number
  warnings: Warning[]
  engine: { name: string; version: string; mode: RenderMode }
}

export function inspectJob(job: PrintJob): InspectedJob {
  const { html, headerHtml = '', footerHtml = '', options } = job
  const traits = inspectDocument(html, { javascript: options.javascript ?? 'auto' })
  return { ...job, traits, header: inspectFragment(headerHtml), footer: inspectFragment(footerHtml) }
}

/** Reused pages are for documents in which no script runs and nothing moves. */
export function chooseRenderMode({ traits, header, footer, options }: InspectedJob): RenderMode {
  // Chromium prints headers and footers in a page of its own, where a page's settings do not apply.
  const script = traits.script || header.script || footer.script || options.javascript === 'on'
  return script || traits.moves || options.wait_for !== undefined ? 'scripted' : 'static'
}
