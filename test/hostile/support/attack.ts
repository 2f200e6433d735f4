import { DomainError } from '@platen/shared/runtime/errors.ts'
import { readPdf } from '../../support/read-pdf.ts'
import type { TestPrinter } from '../../support/renderer/open-test-printer.ts'
import type { Attack } from './aim.ts'
import { secret } from './secret.ts'

/** What a document may end as. Whatever else it ends as is a fault of ours. */
export type Outcome = { pdf: Uint8Array } | { refused: DomainError }

export async function attack(
  printer: TestPrinter,
  { html, headerHtml, footerHtml }: Pick<Attack, 'html' | 'headerHtml' | 'footerHtml'>,
): Promise<Outcome> {
  try {
    const margins = { ...(headerHtml !== undefined && { headerHtml }), ...(footerHtml !== undefined && { footerHtml }) }
    return await printer.printHtml(html, {}, margins)
  } catch (err) {
    if (err instanceof DomainError) return { refused: err }
    throw err
  }
}

/** Whether a PDF says what none may say: the canaries' secret, or this machine's files. */
export async function tells(outcome: Outcome): Promise<boolean> {
  if ('refused' in outcome) return false
  const pages = await readPdf(outcome.pdf)
  const text = pages.map(({ text }) => text.replaceAll(' ', '')).join('')
  return text.includes(secret) || /root:x?:0:0/.test(text)
}
