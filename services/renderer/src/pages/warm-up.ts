import { BrowserLost } from '../browser/browser-errors.ts'
import { untilAborted } from '../browser/until-aborted.ts'
import type { StaticPage } from './static-page.ts'

const html = '<h1>Warm</h1><p style="font-family: sans-serif">up <b>with</b> <i>all</i> <code>that</code>'

/** A process loads fonts and what it prints with for its first document: let that be this one, for nobody waits for it. */
export async function warmUp(page: StaticPage): Promise<StaticPage> {
  const { session, frameId, lost } = page
  try {
    await untilAborted(session.send('Page.setDocumentContent', { frameId, html }), lost)
    await untilAborted(session.send('Page.printToPDF', {}), lost)
    await untilAborted(page.wash(), lost)
    return page
  } catch (err) {
    await page[Symbol.asyncDispose]()
    throw new BrowserLost('a page could not be made ready', { cause: err, blameless: true })
  }
}
