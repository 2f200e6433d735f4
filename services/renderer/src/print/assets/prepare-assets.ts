import { randomBytes } from 'node:crypto'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { DocumentAssets } from '../../egress/document-assets.ts'
import { Refusal } from '../../egress/refusal.ts'
import { type AssetText, withUrls } from '../../inspect/asset-urls.ts'
import type { AssetTexts } from '../../inspect/inspect-texts.ts'
import { inlineAssets } from './inline-assets.ts'
import { type FoundAsset, type JobAssets, lostAsset, noSuchAsset } from './job-assets.ts'

export interface AssetProblem {
  /** Absent for the document itself. */
  source?: 'header_html' | 'footer_html'
  /** `asset:logo.svg: there is no asset of this name`. */
  message: string
}

export interface PreparedAssets {
  /** The document with URLs that begin with this one. */
  html(base: string): string
  /** The header with its assets as `data:` URLs. Absent if it has no `asset:` URL. */
  headerHtml?: string
  footerHtml?: string
  /** The problems of the header and footer. Those of the document are found when it is loaded. */
  problems: AssetProblem[]
  /** Assets of the document for one page. */
  forPage(): DocumentAssets
}

/**
 * The most bytes that are read before the print, so that it does not wait for the object store. Further assets are read
 * when the page asks for them.
 */
const maxReadAhead = 32 * 2 ** 20
/** The maximum of names in the document, its style sheets, those that they name, and so on. */
const maxNames = 1_000

/**
 * Finds and reads the assets of a document. It fails while a store is unavailable, so that no document is printed
 * without its pictures because of an outage.
 */
export async function prepareAssets(
  html: string,
  texts: AssetTexts,
  assets: JobAssets,
  signal: AbortSignal,
): Promise<PreparedAssets> {
  const [header, footer] = await untilAborted(
    Promise.all([
      inlineAssets(texts.headerHtml, assets),
      inlineAssets(texts.footerHtml, assets),
      readAhead(texts.html, assets),
    ]),
    signal,
  )
  return {
    html: (base) => (texts.html ? withUrls(texts.html, ({ asset, suffix }) => base + asset + suffix) : html),
    ...(header && { headerHtml: header.html }),
    ...(footer && { footerHtml: footer.html }),
    problems: [
      ...(header?.problems ?? []).map((message) => ({ source: 'header_html' as const, message })),
      ...(footer?.problems ?? []).map((message) => ({ source: 'footer_html' as const, message })),
    ],
    forPage: () => new PageAssets(assets),
  }
}

async function readAhead(text: AssetText = [], assets: JobAssets): Promise<void> {
  const names = new Set(text.flatMap((part) => (typeof part === 'string' ? [] : [part.asset])))
  let bytes = 0
  const reading: Promise<unknown>[] = []
  let looked = 0
  // The set grows with what style sheets name.
  for (const name of names) {
    // A name without an asset is found at once: very many would hold the event loop.
    if (++looked > maxNames) break
    const found = await assets.find(name)
    if (!found) continue
    bytes += found.bytes
    if (bytes <= maxReadAhead) reading.push(assets.read(found))
    for (const reference of found.references) if (names.size < maxNames) names.add(reference)
  }
  await Promise.all(reading)
}

class PageAssets implements DocumentAssets {
  readonly path = `/${randomBytes(8).toString('hex')}/`
  readonly #assets: JobAssets

  constructor(assets: JobAssets) {
    this.#assets = assets
  }

  async get(name: string) {
    const found: FoundAsset | undefined = await this.#assets.find(name)
    if (!found) throw new Refusal(404, 'no such asset', noSuchAsset)
    return (await this.#assets.read(found)) ?? refuseLost()
  }
}

function refuseLost(): never {
  throw new Refusal(404, 'a lost asset', lostAsset)
}
