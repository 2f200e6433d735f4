import { missingRange, selectedPages } from '@platen/domain/document/page-ranges.ts'
import { refuse } from '../task/pdf-tool-failed.ts'

/**
 * The pages of a selection, from 1. Throws PdfToolFailed if it cannot be read, or has a range without pages. `isForAnyLength`: a range
 * without an end may have none, such as `2-` of a document that has one page this time.
 */
export function pagesIn(
  selection: string | undefined,
  count: number,
  { isForAnyLength = false }: { isForAnyLength?: boolean } = {},
): number[] {
  try {
    const missing = missingRange(selection, count)
    if (missing !== undefined && !(isForAnyLength && missing.endsWith('-'))) {
      refuse('invalid', `The PDF has ${count} page${count === 1 ? '' : 's'}, and none of ${missing}`)
    }
    return selectedPages(selection, count)
  } catch (err) {
    if (err instanceof RangeError) return refuse('invalid', err.message)
    throw err
  }
}

export function fileNamed(files: Readonly<Record<string, Uint8Array>>, name: string): Uint8Array {
  return files[name] ?? refuse('invalid', `There is no asset ${JSON.stringify(name)}`)
}
