import { DomainError } from '@platen/domain/http/errors.ts'
import { readPdf } from '../../support/read-pdf.ts'
import type { TestPrinter } from '../../support/renderer/open-test-printer.ts'
import type { Attack } from './aim.ts'
import { secret } from './secret.ts'

/** The allowed outcomes of a document. Any other one is a bug of Platen. */
export type Outcome = { pdf: Uint8Array } | { refused: DomainError }

export async function attack(
  printer: TestPrinter,
  { html, headerHtml, footerHtml }: Pick<Attack, 'html' | 'headerHtml' | 'footerHtml'>,
  signal?: AbortSignal,
): Promise<Outcome> {
  try {
    const margins = { ...(headerHtml !== undefined && { headerHtml }), ...(footerHtml !== undefined && { footerHtml }) }
    return await printer.printHtml(html, {}, { ...margins, ...(signal && { signal }) })
  } catch (err) {
    if (err instanceof DomainError) return { refused: err }
    throw err
  }
}

/** Whether a PDF shows the secret of the canaries or a file of this machine. */
export async function showsSecret(outcome: Outcome): Promise<boolean> {
  if ('refused' in outcome) return false
  const pages = await readPdf(outcome.pdf)
  const text = pages.map(({ text }) => text.replaceAll(' ', '')).join('')
  return text.includes(secret) || /root:x?:0:0/.test(text)
}
