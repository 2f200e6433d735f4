import type { ComparedFiles, PreviewResult, RenderPreview } from '@platen/domain/generation/preview.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import { comparePages } from './page-images.ts'
import { type PrintPreviewDependencies, slotForPreview, viewerOf } from './print-preview.ts'

export interface CompareFilesDependencies extends PrintPreviewDependencies {
  objects: Pick<ObjectStore, 'get'>
}

/** Nothing is printed. */
const noEngine = { name: 'none', version: '', mode: 'static' } as const

/**
 * Compares the pages of two stored PDFs. Resolves to the JSON of ComparedPage[]. As a comparison of versions, it keeps a slot
 * of a batch until it ends. Throws FILE_DELETED, ObjectStoreUnavailable, and the reason of the signal.
 */
export async function compareFiles(
  dependencies: CompareFilesDependencies,
  { compared_files: files, ...preview }: Omit<RenderPreview, 'input'> & { compared_files: ComparedFiles },
  signal: AbortSignal,
): Promise<{ result: PreviewResult; bytes: Uint8Array }> {
  const startedAt = performance.now()
  using _slot = await slotForPreview(dependencies, preview, { priority: 'batch', signal })
  const read = (key: string) => readPdf(dependencies.objects, key)
  const { images, ignored } = files
  const pdfs = { from: await read(files.from), to: await read(files.to) }
  const bytes = await comparePages(dependencies.tools, { ...pdfs, images, ignored }, viewerOf(preview, signal))
  const duration_ms = Math.round(performance.now() - startedAt)
  return { result: { pages: 0, size: bytes.byteLength, warnings: [], engine: noEngine, duration_ms }, bytes }
}

async function readPdf(objects: CompareFilesDependencies['objects'], key: string): Promise<Buffer> {
  try {
    return await readBytes(await objects.get(key))
  } catch (err) {
    if (!(err instanceof ObjectNotFound)) throw err
    return fail('FILE_DELETED', 'A PDF of the comparison was deleted meanwhile')
  }
}
