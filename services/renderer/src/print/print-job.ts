import type { ResolvedPdfOptions } from '@platen/domain/document/pdf-options.ts'
import type {
  PageSource,
  Refusals,
  RequestExtras,
  RequestFiles,
  Screenshot,
} from '@platen/domain/generation/document-source.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import type { DocumentForm } from '@platen/pdf-tools/task/document-form.ts'
import type { CarriedSums } from '@platen/templating/html/carried-sums.ts'
import type { KnownJson } from '../chromium/browser/cdp/known-json.ts'
import type { RenderMode } from '../chromium/pool/browser-page.ts'
import type { DocumentTexts, TextTraits } from '../inspect/inspect-texts.ts'
import type { JobAssets } from './assets/job-assets.ts'
import type { PreparedAssets } from './assets/prepare-assets.ts'

export interface PrintJob {
  html: string
  /** Absent if it may use none: `asset:` URLs stay as they are. */
  assets?: JobAssets
  /** The page is fetched from the network, and printed instead of the HTML. */
  page?: PageSource | undefined
  /** Files that the document loads by relative URLs. */
  files?: RequestFiles | undefined
  /** Headers and cookies of its requests. */
  requests?: RequestExtras | undefined
  /** A picture of the document is taken instead of printing it. */
  screenshot?: Screenshot | undefined
  /** Problems that make it fail. */
  refusals?: Refusals | undefined
  headerHtml?: string
  footerHtml?: string
  options: ResolvedPdfOptions
  /** A language tag and a time zone, if the document has its own. */
  locale?: string
  timezone?: string
  /** The warnings of filling the template. The result has them after those of the print. */
  warnings?: Warning[]
  /** Whether the result says on which pages the warnings are. That adds destinations to the PDF. */
  locate?: boolean
  /** The API key that it is printed for. A page is reset before it shows a document of another owner. */
  owner: string
  /** The span that the print belongs to. */
  traceparent?: string | undefined
  /** A text whose JSON is known: the HTML, unless it was changed. */
  known?: KnownJson | undefined
  /** Cancels the print, which rejects with the signal's reason. */
  signal: AbortSignal
}

/** A job with the traits of its texts. */
export type InspectedJob = PrintJob &
  TextTraits & {
    prepared?: PreparedAssets
    /** Assets are in its HTML as `data:` URLs. */
    inlined?: true
    /** False after an attempt has shown that the document cannot be printed in slices. */
    slices?: false
    /** The sums in its header and footer. */
    carried?: CarriedSums
  }

export interface Printed {
  pdf: Uint8Array
  /** Absent for a PDF. */
  mediaType?: string
  pages: number
  warnings: Warning[]
  /** With `options.form_fields`: what the links in the place of its inputs stand for. */
  form?: DocumentForm
  engine: { name: string; version: string; mode: RenderMode }
}

export function textsOf({ html, headerHtml = '', footerHtml = '', options }: PrintJob): DocumentTexts {
  return { html, headerHtml, footerHtml, javascript: options.javascript }
}

/** Reused pages are for documents without scripts and animations. */
export function chooseRenderMode({ traits, header, footer, options, screenshot }: InspectedJob): RenderMode {
  // Chromium prints headers and footers in another page, to which the settings of this page do not apply.
  const script = traits.script || header.script || footer.script || options.javascript === 'on'
  // A reused page draws no frames by itself.
  if (screenshot !== undefined) return 'scripted'
  return script || traits.moves || options.wait_for !== undefined ? 'scripted' : 'static'
}
