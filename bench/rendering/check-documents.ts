import { checkDocument } from '../../test/fidelity/support/check-document.ts'
import { openJudge } from '../../test/fidelity/support/open-judge.ts'
import { openSite } from '../../test/fidelity/support/open-site.ts'
import type { PlatenAccess } from '../../test/fidelity/support/platen-printer.ts'
import type { BenchDocument } from '../documents/document.ts'

/**
 * Compares each document with plain Chromium's printing, page by page. Speed counts only for the right PDF: rejects with
 * an Error that names the first document that differs.
 */
export async function checkDocuments(platen: PlatenAccess, documents: readonly BenchDocument[]): Promise<void> {
  const pages = new Map(documents.map(({ name, html }) => [`/${name}.html`, html]))
  await using site = await openSite({
    delayMs: 0,
    find: async (path) => {
      const html = pages.get(path)
      return html === undefined ? undefined : { type: 'text/html; charset=utf-8', body: Buffer.from(html) }
    },
  })
  await using chromium = await openJudge(platen)
  for (const { name, html } of documents) {
    const document = { name, html, url: `${site.url}/${name}.html` }
    const { outcome, differences, error } = await checkDocument(document, { chromium, platen, options: {}, repeat: 1 })
    if (outcome !== 'same') {
      const [first] = differences
      const found = first ? `${first.aspect} of page ${first.page}: ${first.plain}, not ${first.platen}` : error
      throw new Error(`${name} is not printed as plain Chromium prints it (${outcome}): ${found}`)
    }
  }
}
