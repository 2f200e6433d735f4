import type { IgnoredArea } from '@platen/domain/generation/page-comparison.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { PdfToolFailed } from '@platen/pdf-tools/task/pdf-tool-failed.ts'
import type { PdfTask } from '@platen/pdf-tools/task/task.ts'
import type { PdfToolbox } from '../tools/pdf-toolbox.ts'

export interface PageImage {
  pdf: Uint8Array
  /** From 1. */
  page: number
  /** Width in pixels. */
  width: number
}

export interface PagesToCompare {
  /** PDFs. */
  from: Uint8Array
  to: Uint8Array
  /** Whether pages that differ are returned with their pictures. */
  images: boolean
  ignored: readonly IgnoredArea[]
}

/** Who waits for the pages. */
export interface Viewer {
  caller: Claim
  signal: AbortSignal
}

type Tools = Pick<PdfToolbox, 'run'>

/** A PNG. Throws the DomainErrors of the toolbox, and the reason of the signal. */
export function drawPage(tools: Tools, { pdf, page, width }: PageImage, viewer: Viewer): Promise<Uint8Array> {
  const images = { format: 'png', pages: String(page), width } as const
  return onlyFile(tools, { sources: [{ bytes: pdf }], operation: { operation: 'steps' }, steps: { images } }, viewer)
}

/** The JSON of ComparedPage[]. Throws the DomainErrors of the toolbox, CONFLICT if a PDF needs a password, and the reason of the signal. */
export async function comparePages(
  tools: Tools,
  { from, to, images, ignored }: PagesToCompare,
  viewer: Viewer,
): Promise<Uint8Array> {
  const sources = [{ bytes: from }, { bytes: to }]
  try {
    return await onlyFile(tools, { sources, operation: { operation: 'compare', images, ignored } }, viewer)
  } catch (err) {
    const { cause } = err as Error
    if (!(cause instanceof PdfToolFailed) || cause.reason !== 'encrypted') throw err
    throw new DomainError('CONFLICT', `${cause.message}, so its pages cannot be compared`)
  }
}

async function onlyFile(tools: Tools, task: Omit<PdfTask, 'files'>, viewer: Viewer): Promise<Uint8Array> {
  const { files } = await tools.run({ ...task, files: {} }, { ...viewer, timeoutMs: undefined })
  const [file] = files
  if (!file) throw new Error('the PDF tools have returned no file')
  return file.bytes
}
