import type { RenderInput } from '@platen/domain/generation/generation.ts'
import { type ComparedDocuments, comparisonLimits } from '@platen/domain/generation/page-comparison.ts'
import type { PageComparison, PreviewResult, RenderPreview } from '@platen/domain/generation/preview.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { Printed } from '../print/print-job.ts'
import { comparePages } from './page-images.ts'
import { type PrintPreviewDependencies, printPreview, slotForPreview, viewerOf } from './print-preview.ts'

/**
 * Prints two versions of a template with the same data, and compares their pages. Resolves to the JSON of the page
 * fields of a TemplateComparison. A comparison keeps one slot until it ends, so that only a few comparisons hold PDFs in
 * memory. The slot is one of a batch: documents whose clients wait have another one.
 */
export async function compareVersions(
  dependencies: PrintPreviewDependencies,
  { comparison, ...preview }: RenderPreview & { comparison: PageComparison },
  signal: AbortSignal,
): Promise<{ result: PreviewResult; bytes: Uint8Array }> {
  const startedAt = performance.now()
  const { template: _, partials: __, options: ___, ...data } = preview.input
  using _slot = await slotForPreview(dependencies, preview, { priority: 'batch', signal })
  const print = (input: RenderInput): Promise<Printed> =>
    printPreview(dependencies, { ...preview, input }, signal)
      .then(checkPages)
      .catch((err) => {
        throw err instanceof DomainError ? ofVersion(err, input) : err
      })
  const from = await print(preview.input)
  const to = await print({ ...data, ...comparison.to })
  const { images, ignored } = comparison
  const pages = await comparePages(
    dependencies.tools,
    { from: from.pdf, to: to.pdf, images, ignored },
    viewerOf(preview, signal),
  )
  const duration_ms = Math.round(performance.now() - startedAt)
  const { engine, warnings } = to
  const printed: ComparedDocuments = { from: documentOf(from), to: documentOf(to), engine, duration_ms }
  const bytes = Buffer.concat([Buffer.from('{"pages":'), pages, Buffer.from(`,"printed":${JSON.stringify(printed)}}`)])
  return { result: { pages: to.pages, size: bytes.byteLength, warnings, engine, duration_ms }, bytes }
}

function checkPages(printed: Printed): Printed {
  const { pages: limit } = comparisonLimits
  if (printed.pages <= limit) return printed
  const message = `The document has ${printed.pages} pages, at most ${limit} are compared; use data that make fewer`
  return fail('RENDER_LIMIT_EXCEEDED', message, { limit })
}

function ofVersion({ code, message, details }: DomainError, { template }: RenderInput): DomainError {
  return new DomainError(code, `Version ${template?.version}: ${message}`, { details })
}

const documentOf = ({ pages, warnings }: Printed) => ({ pages, warnings })
