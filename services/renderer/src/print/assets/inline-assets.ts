import { type AssetReference, type AssetText, readSheetUrls, withUrls } from '../../inspect/asset-urls.ts'
import { type JobAssets, lostAsset, noSuchAsset } from './job-assets.ts'

/** The most bytes of assets as data URLs in a header or footer. Chromium lays them out anew for each page. */
const maxBytes = 4 * 2 ** 20
/** Style sheets that import others. */
const maxDepth = 5

const noFonts =
  'Chromium loads no fonts in headers and footers; use an installed font, or @page margin boxes in the document'

const noScripts = 'Chromium runs no scripts in headers and footers; draw it in the document, or write it into the data'

interface Inlined {
  html: string
  /** `asset:logo.svg: there is no asset of this name`, each once. */
  problems: string[]
}

/**
 * Replaces the `asset:` URLs of a header or footer with data URLs, because Chromium loads nothing for them. Undefined
 * if it has none.
 */
export async function inlineAssets(text: AssetText | undefined, assets: JobAssets): Promise<Inlined | undefined> {
  if (!text) return undefined
  const inliner = new Inliner(assets)
  const html = await inliner.inline(text, 0)
  return { html, problems: [...inliner.problems].map(([name, reason]) => `asset:${name}: ${reason}`) }
}

class Inliner {
  readonly problems = new Map<string, string>()
  readonly #assets: JobAssets
  readonly #urls = new Map<string, string>()
  #bytes = 0

  constructor(assets: JobAssets) {
    this.#assets = assets
  }

  async inline(text: AssetText, depth: number): Promise<string> {
    // One after the other: each is read once, and the limit counts those before.
    for (const part of text) {
      if (typeof part !== 'string' && !this.#urls.has(part.asset))
        this.#urls.set(part.asset, await this.#urlOf(part, depth))
    }
    return withUrls(text, ({ asset, suffix }) => (this.#urls.get(asset) ?? nothing) + suffix.replace(/^\?[^#]*/, ''))
  }

  async #urlOf({ asset: name }: AssetReference, depth: number): Promise<string> {
    // A style sheet that imports itself.
    this.#urls.set(name, nothing)
    const found = await this.#assets.find(name)
    if (!found) return this.#without(name, noSuchAsset)
    if (found.type.startsWith('font/')) return depth === 0 ? this.#without(name, noFonts) : nothing
    if (found.type === 'text/javascript') return this.#without(name, noScripts)
    this.#bytes += found.bytes
    if (this.#bytes > maxBytes)
      return this.#without(name, `a header or footer has at most ${maxBytes / 2 ** 20} MiB of assets`)
    const served = await this.#assets.read(found)
    if (!served) return this.#without(name, lostAsset)
    const bytes =
      found.type === 'text/css'
        ? await this.#styleSheet(found.name, Buffer.from(served.bytes), depth)
        : Buffer.from(served.bytes)
    return `data:${found.type};base64,${bytes.toString('base64')}`
  }

  async #styleSheet(name: string, css: Buffer, depth: number): Promise<Buffer> {
    const text = depth < maxDepth ? readSheetUrls(css.toString(), name) : undefined
    return text ? Buffer.from(await this.inline(text, depth + 1)) : css
  }

  #without(name: string, reason: string): string {
    this.problems.set(name, reason)
    return nothing
  }
}

const nothing = 'data:,'
