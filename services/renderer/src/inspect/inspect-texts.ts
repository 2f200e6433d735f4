import type { JavascriptOption } from '@platen/domain/document/pdf-options.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { type AssetText, mayReferToAssets, readAssetUrls } from './asset-urls.ts'
import type { DocumentTraits, FragmentTraits } from './document-traits.ts'
import { inspectDocument, inspectFragment } from './inspect-document.ts'

/** The texts of a document that decide how it is printed. */
export interface DocumentTexts {
  html: string
  headerHtml: string
  footerHtml: string
  javascript: JavascriptOption
}

export interface TextTraits {
  traits: DocumentTraits
  header: FragmentTraits
  footer: FragmentTraits
  /** Absent if no text has an `asset:` URL. */
  assetTexts?: AssetTexts
  /** More `asset:` URLs than a document may have. It is not printed, and the texts with them are absent. */
  tooManyAssetUrls?: number
}

/** The texts with their `asset:` URLs, without those that have none. */
export interface AssetTexts {
  html?: AssetText
  headerHtml?: AssetText
  footerHtml?: AssetText
}

/** Each `asset:` URL is replaced on the event loop: 100,000 of them would hold it for a tenth of a second. */
const maxAssetUrls = 20_000

export function inspectTexts({ html, headerHtml, footerHtml, javascript }: DocumentTexts): TextTraits {
  return {
    traits: inspectDocument(html, { javascript }),
    header: inspectFragment(headerHtml),
    footer: inspectFragment(footerHtml),
    ...readAssetTexts({ html, headerHtml, footerHtml }),
  }
}

/** A document without assets costs one look for the scheme. */
function readAssetTexts(texts: Record<keyof AssetTexts, string>): Pick<TextTraits, 'assetTexts' | 'tooManyAssetUrls'> {
  const assetTexts: AssetTexts = {}
  let urls = 0
  for (const [name, html] of Object.entries(texts) as [keyof AssetTexts, string][]) {
    const text = mayReferToAssets(html) ? readAssetUrls(html) : undefined
    if (!text) continue
    assetTexts[name] = text
    for (const part of text) if (typeof part !== 'string') urls += 1
  }
  if (urls > maxAssetUrls) return { tooManyAssetUrls: urls }
  return urls === 0 ? {} : { assetTexts }
}

/** Throws DomainError RENDER_LIMIT_EXCEEDED. */
export function checkAssetUrls({ tooManyAssetUrls }: TextTraits): void {
  if (tooManyAssetUrls === undefined) return
  const limit = maxAssetUrls
  fail('RENDER_LIMIT_EXCEEDED', `The document has ${tooManyAssetUrls} asset: URLs, at most ${limit} are allowed`, {
    limit,
  })
}
