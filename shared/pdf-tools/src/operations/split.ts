import type { SplitOperation } from '@platen/domain/document/pdf-operation.ts'
import { Composition } from '../compose/compose.ts'
import { pagesIn } from '../pdf/inputs.ts'
import { encryptionLost, openPdf } from '../pdf/open-pdf.ts'
import { savePdf } from '../pdf/save-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfFile, PdfSource } from '../task/task.ts'

/** Several PDFs from one: of ranges of its pages, or of groups of so many. */
export async function split(
  source: PdfSource,
  { ranges, every = 1 }: Omit<SplitOperation, 'operation'>,
  { maxPages, maxBytes }: { maxPages: number; maxBytes: number },
): Promise<{ files: PdfFile[]; warnings: string[] }> {
  const pdf = await openPdf(source, maxPages)
  const groups = ranges?.map((range) => pagesIn(range, pdf.pages.length)) ?? groupsOf(pdf.pages.length, every)
  const pages = groups.reduce((sum, group) => sum + group.length, 0)
  if (pages > maxPages)
    refuse('too-many-pages', `The ranges have ${pages} pages together, at most ${maxPages} are made`)
  const files: PdfFile[] = []
  const warnings = new Set(pdf.wasEncrypted ? [encryptionLost] : [])
  let bytesOfAll = 0
  for (const group of groups) {
    const composition = await Composition.create()
    composition.add({ pdf, pages: group })
    const made = composition.finish()
    for (const warning of made.warnings) warnings.add(warning)
    const bytes = await savePdf(made.document.context)
    bytesOfAll += bytes.byteLength
    if (bytesOfAll > maxBytes) refuse('too-large', `The parts have more than ${maxBytes} bytes together`)
    files.push({ bytes, mediaType: 'application/pdf', pages: group.length })
  }
  return { files, warnings: [...warnings] }
}

function groupsOf(count: number, every: number): number[][] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => all.slice(at * every, (at + 1) * every))
}
