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
  /** The API key that it is printed for. A page is reset before it shows a document of another owner. */
  owner: string
  /** Cancels the print, which rejects with the signal's reason. */
  signal: AbortSignal
}

/** A job with the traits of its texts. */
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

/** Reused pages are for documents without scripts and animations. */
export function chooseRenderMode({ traits, header, footer, options }: InspectedJob): RenderMode {
  // Chromium prints headers and footers in another page, to which the settings of this page do not apply.
  const script = traits.script || header.script || footer.script || options.javascript === 'on'
  return script || traits.moves || options.wait_for !== undefined ? 'scripted' : 'static'
}
