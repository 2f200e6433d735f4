import type { JavascriptOption } from '@platen/shared/contracts/pdf-options.ts'
import { type AssetText, mayReferToAssets, readAssetUrls } from './asset-urls.ts'
import type { DocumentTraits, FragmentTraits } from './document-traits.ts'
import { inspectDocument } from './inspect-document.ts'
import { inspectFragment } from './inspect-fragment.ts'

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
}

/** The texts with their `asset:` URLs, without those that have none. */
export interface AssetTexts {
  html?: AssetText
  headerHtml?: AssetText
  footerHtml?: AssetText
}

export function inspectTexts({ html, headerHtml, footerHtml, javascript }: DocumentTexts): TextTraits {
  return {
    traits: inspectDocument(html, { javascript }),
    header: inspectFragment(headerHtml),
    footer: inspectFragment(footerHtml),
    ...readAssetTexts({ html, headerHtml, footerHtml }),
  }
}

/** A document without assets costs one look for the scheme. */
function readAssetTexts(texts: Record<keyof AssetTexts, string>): Pick<TextTraits, 'assetTexts'> {
  const found = Object.entries(texts).flatMap(([name, html]) => {
    const text = mayReferToAssets(html) ? readAssetUrls(html) : undefined
    return text ? [[name, text]] : []
  })
  return found.length === 0 ? {} : { assetTexts: Object.fromEntries(found) }
}
