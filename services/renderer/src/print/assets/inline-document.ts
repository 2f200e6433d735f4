import { cssUrls } from '@platen/templating/css/css-urls.ts'
import { type AssetReference, type AssetText, readSheetUrls } from '../../inspect/asset-urls.ts'
import type { FoundAsset, JobAssets } from './job-assets.ts'

/** Larger documents load their assets faster than they are sent with them. Each occurrence of an asset counts. */
const maxBytes = 256 * 1024

export interface InlinedDocument {
  html: string
  /** The same document with short `data:` URLs. Inspecting it gives the same traits as `html`, in less time. */
  outline: string
}

/**
 * The document with `data:` URLs, and with `<style>` in place of linked style sheets. It then loads nothing, and its
 * page need not be reset. Only for documents without scripts. Undefined unless everything looks the same as with URLs.
 */
export async function inlineDocument(
  html: string,
  text: AssetText,
  assets: JobAssets,
): Promise<InlinedDocument | undefined> {
  if (depends(html)) return undefined
  const inliner = new DocumentInliner(assets)
  return await inliner.inline(text, (reference) => inliner.content(reference))
}

/** A policy of the document may refuse `data:` URLs, and its style sheets may choose elements by their URLs. */
const depends = (text: string) => /content-security-policy|\[[\s*|]*(?:src|srcset|href|style)\b|attr\(/i.test(text)

/** A reference that cannot be replaced is undefined. */
type ContentOf = (reference: AssetReference) => Promise<InlinedDocument | undefined>

class DocumentInliner {
  readonly #assets: JobAssets
  #bytes = 0

  constructor(assets: JobAssets) {
    this.#assets = assets
  }

  async inline(text: AssetText, contentOf: ContentOf): Promise<InlinedDocument | undefined> {
    let html = ''
    let outline = ''
    for (const part of text) {
      const content = typeof part === 'string' ? { html: part, outline: part } : await contentOf(part)
      if (!content) return undefined
      html += content.html
      outline += content.outline
    }
    return { html, outline }
  }

  async content(reference: AssetReference): Promise<InlinedDocument | undefined> {
    const { asset, suffix, place, sheet } = reference
    if (suffix !== '' || (!place && !sheet)) return undefined
    const found = await this.#assets.find(asset)
    if (!found || !this.#fits(found)) return undefined
    if (sheet) return found.type === 'text/css' ? this.#styleSheet(found, sheet.media) : undefined
    return this.#dataUrl(found, place)
  }

  #fits({ bytes }: FoundAsset): boolean {
    this.#bytes += bytes
    return this.#bytes <= maxBytes
  }

  async #dataUrl(found: FoundAsset, place: AssetReference['place']): Promise<InlinedDocument | undefined> {
    const { type } = found
    if (!type.startsWith('image/') && (place !== 'style' || !type.startsWith('font/'))) return undefined
    const served = await this.#assets.read(found)
    if (!served) return undefined
    const start = `data:${type};base64,`
    return { html: start + Buffer.from(served.bytes).toString('base64'), outline: `${start}AA==` }
  }

  async #styleSheet(found: FoundAsset, media: string | undefined): Promise<InlinedDocument | undefined> {
    const served = await this.#assets.read(found)
    const css = served && utf8(served.bytes)
    if (css === undefined || /<\/style|<!--/i.test(css) || depends(css)) return undefined
    const text = readSheetUrls(css, found.name)
    const references = (text ?? []).filter((part) => typeof part !== 'string').length
    // Its other URLs are relative to the sheet, or it imports other sheets.
    if (cssUrls(css).length !== references) return undefined
    const content = text
      ? await this.inline(text, (reference) => this.content({ ...reference, place: 'style' }))
      : { html: css, outline: css }
    if (!content) return undefined
    const tag = media === undefined ? '<style>' : `<style media="${escaped(media)}">`
    return { html: `${tag}${content.html}</style>`, outline: `${tag}${content.outline}</style>` }
  }
}

/** Undefined for a style sheet that a browser decodes otherwise. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
