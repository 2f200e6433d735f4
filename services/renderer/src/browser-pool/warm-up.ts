import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { BrowserLost } from '../browser/browser-errors.ts'
import type { BrowserPage } from './browser-page.ts'

const html = '<h1>Warm</h1><p style="font-family: sans-serif">up <b>with</b> <i>several</i> <code>fonts</code>'

/** Prints a document so that the page's process loads its fonts and libraries before the first real one. */
export async function warmUp(page: BrowserPage): Promise<BrowserPage> {
  const { session, frameId, lost } = page
  try {
    await untilAborted(session.send('Page.setDocumentContent', { frameId, html }), lost)
    await untilAborted(session.send('Page.printToPDF', {}), lost)
    await page.reset()
    return page
  } catch (err) {
    await page.close()
    throw new BrowserLost('the page could not be warmed up', { cause: err, blameless: true })
  }
}
