import { type Static, Type } from 'typebox'
import { OutputSteps } from '../document/output-options.ts'
import { Bookmarks, PdfOperation } from '../document/pdf-operation.ts'
import { RequestFiles } from './document-source.ts'

/** A task of the PDF tools: on each PDF by itself, or, for `merge`, on all of them together. */
export const ChainTask = Type.Object({
  operation: PdfOperation,
  /** Done after the operation. */
  steps: Type.Optional(OutputSteps),
  /** The one result of a split keeps the name of its source. Default: each has its number from 0 added. */
  keeps_name: Type.Optional(Type.Boolean()),
  /** Instead of an operation: the outline of each PDF, by its name. */
  bookmarks: Type.Optional(Type.Record(Type.String(), Bookmarks)),
})
export type ChainTask = Static<typeof ChainTask>

/**
 * Tasks on PDFs, each on the results of the one before: on the printed document, or on the sources of an operation. Several results
 * are in a ZIP file under their names.
 */
export const PdfChain = Type.Object({
  tasks: Type.Array(ChainTask, { maxItems: 100 }),
  /** The names of the PDFs, without an extension. */
  names: Type.Array(Type.String()),
  /** Those that steps name. */
  files: Type.Optional(RequestFiles),
})
export type PdfChain = Static<typeof PdfChain>
