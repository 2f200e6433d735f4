import { selectedPages } from '@platen/domain/document/page-ranges.ts'
import { refuse } from '../task/pdf-tool-failed.ts'

/** The pages of a selection, from 1. Throws PdfToolFailed if the selection cannot be read. */
export function pagesIn(selection: string | undefined, count: number): number[] {
  try {
    return selectedPages(selection, count)
  } catch (err) {
    if (err instanceof RangeError) return refuse('invalid', err.message)
    throw err
  }
}

export function fileNamed(files: Readonly<Record<string, Uint8Array>>, name: string): Uint8Array {
  return files[name] ?? refuse('invalid', `There is no asset ${JSON.stringify(name)}`)
}
