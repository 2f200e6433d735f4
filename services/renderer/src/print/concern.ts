import type { DocumentForm } from '@platen/pdf-tools/task/document-form.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import type { DocumentDescription } from '../page/contract.ts'
import type { DocumentRecord } from './document-recorder.ts'
import type { InspectedJob } from './print-job.ts'
import type { PrintedPages } from './print-pdf.ts'
import type { TrackedRequests } from './track-requests.ts'
import type { PlaceNames } from './warning-pages.ts'
import type { Warnings } from './warnings.ts'

/**
 * Something that may be wrong with a document: a function that is called before the content is set, and returns the later
 * steps. Each step may send commands to the page. No step before the last one waits for an answer.
 */
export type Concern = (document: DocumentOnPage) => ConcernSteps

export interface ConcernSteps {
  /** The document is loaded, and the command to print is sent. */
  loaded?(loaded: LoadedDocument): void
  /** The document is printed. Adds the warnings. */
  after(printed: PrintedDocument, warnings: Warnings): Promise<void> | void
}

export interface DocumentOnPage {
  page: BrowserPage
  job: InspectedJob
  /** Absent if the document requests nothing from a network. */
  requests: TrackedRequests | undefined
  /** Absent if the document runs no script. */
  record: DocumentRecord | undefined
  /** Aborted to end the document. */
  ending: AbortController
  /** Disposed when the document has ended. */
  resources: DisposableStack
  /** The page is used for no other document. */
  retire(): void
  describeMissingGlyphs(characters: string): Promise<string | undefined>
}

export interface LoadedDocument {
  description: DocumentDescription
  /** URLs without a response. */
  late: ReadonlySet<string>
  /** What is wrong with contents lists. */
  problems: readonly string[]
}

export type PrintedDocument = PrintedPages & {
  /** The characters of all rows that the system may have no font for, if the document was printed in slices. */
  rareCharacters?: string
  /** The destinations of what warnings may be about. */
  names?: PlaceNames | undefined
  form?: DocumentForm | undefined
}
