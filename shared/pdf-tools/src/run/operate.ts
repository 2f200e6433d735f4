import type { PdfOperation } from '@platen/domain/document/pdf-operation.ts'
import { dropClaims } from '../conformance/drop-claims.ts'
import { describe } from '../operations/describe.ts'
import { edit } from '../operations/edit.ts'
import { fill } from '../operations/fill.ts'
import { flatten } from '../operations/flatten.ts'
import { merge } from '../operations/merge.ts'
import { optimize } from '../operations/optimize.ts'
import { rotate } from '../operations/rotate.ts'
import { split } from '../operations/split.ts'
import { change, type Outcome } from '../pdf/change-pdf.ts'
import { encryptionLost } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfTask } from '../task/task.ts'

/** Does the operation of a task, of which `steps` is none. Throws PdfToolFailed. */
export async function operate(
  { sources, operation, fonts }: Pick<PdfTask, 'sources' | 'fonts'> & { operation: PdfOperation },
  bounds: PdfBounds,
): Promise<Outcome> {
  if (operation.operation === 'merge') return merge(sources, operation, bounds.maxPages)
  const [source] = sources
  if (!source || sources.length > 1) return refuse('invalid', `The operation takes one PDF, not ${sources.length}`)
  if (operation.operation === 'describe') return describe(source, operation, bounds.maxPages)
  if (operation.operation === 'split') return split(source, operation, bounds)
  // What is opened is saved without encryption: that is all of `unlock`.
  if (operation.operation === 'unlock') {
    const { files, warnings = [] } = await change(source, bounds.maxPages, async () => [])
    return { files, warnings: warnings.filter((warning) => warning !== encryptionLost) }
  }
  return change(source, bounds.maxPages, async (pdf) => {
    if (operation.operation === 'edit') return edit(pdf, operation)
    if (operation.operation === 'fill') return [...dropClaims(pdf.document), ...(await fill(pdf, operation, { fonts }))]
    if (operation.operation === 'flatten') return [...dropClaims(pdf.document), ...(await flatten(pdf))]
    if (operation.operation === 'rotate') rotate(pdf, operation)
    if (operation.operation === 'optimize') optimize(pdf)
    return []
  })
}
