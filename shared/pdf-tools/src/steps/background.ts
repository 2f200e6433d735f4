import type { BackgroundStep } from '@platen/domain/document/output-options.ts'
import { importPage } from '../draw/import-page.ts'
import { PageContent } from '../pdf/content.ts'
import { fileNamed, pagesIn } from '../pdf/inputs.ts'
import { cm, viewOf } from '../pdf/matrix.ts'
import { type OpenPdf, openPdf } from '../pdf/open-pdf.ts'

/**
 * Draws pages of another PDF under the pages: its first page under the first that is selected, and so on, and its last one
 * under all others. One of another size is scaled to fit, and centred.
 */
export async function addBackground(
  { context, pages }: OpenPdf,
  { asset, pages: selection }: BackgroundStep,
  files: Readonly<Record<string, Uint8Array>>,
  maxPages: number,
): Promise<void> {
  const background = await openPdf({ bytes: fileNamed(files, asset), name: asset }, maxPages)
  const drawn = new Map<number, ReturnType<typeof importPage>>()
  for (const [index, number] of pagesIn(selection, pages.length, { isForAnyLength: true }).entries()) {
    const page = pages[number - 1]
    const under = Math.min(index + 1, background.pages.length)
    const form = drawn.get(under) ?? importPage(context, background, under)
    drawn.set(under, form)
    if (!page || !form) continue
    const view = viewOf(page)
    const scale = Math.min(view.width / form.width, view.height / form.height)
    const [x, y] = [(view.width - form.width * scale) / 2, (view.height - form.height * scale) / 2]
    const content = new PageContent(page)
    const name = content.resource('XObject', form.ref)
    const placed = `${cm(view.toContent)}\n${cm([scale, 0, 0, scale, x, y])}\n${name} Do`
    content.add('under', `/Artifact <</Type /Background>> BDC\nq\n${placed}\nQ\nEMC`)
    content.write()
  }
}
