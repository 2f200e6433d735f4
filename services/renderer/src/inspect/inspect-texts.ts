import { isAssetUrl } from '@platen/domain/asset/asset-name.ts'
import type { JavascriptOption } from '@platen/domain/document/pdf-options.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { type MarginProblem, marginProblems } from '@platen/templating/html/margin-urls.ts'
import { pageChoiceProblems } from '@platen/templating/html/page-choice.ts'
import { dataSvgReferences, refersTo } from '@platen/templating/html/svg-references.ts'
import { type AssetText, mayReferToAssets, readAssetUrls } from './asset-urls.ts'
import type { DocumentTraits, FragmentTraits } from './document-traits.ts'
import { inspectDocument, inspectFragment } from './inspect-document.ts'

/** The texts of a document that decide how it is printed. */
export interface DocumentTexts {
  html: string
  headerHtml: string
  footerHtml: string
  javascript: JavascriptOption
  /** See `TableSizes`. */
  mostRows?: number | undefined
}

export interface TextTraits {
  traits: DocumentTraits
  header: FragmentTraits
  footer: FragmentTraits
  /** Absent if no text has an `asset:` URL. */
  assetTexts?: AssetTexts
  /** References of the document that are never loaded. Absent if there are none. */
  unloadable?: Unloadable[]
  /** Values of `data-platen-pages` in headers and footers that cannot be read. Absent if there are none. */
  pageChoices?: string[]
  /**
   * The number of `asset:` URLs, if it exceeds the maximum. The document is then not printed, and its texts are absent.
   */
  tooManyAssetUrls?: number
}

/** Something that Chromium does not load, and does not report. */
export interface Unloadable {
  /** Absent for the document itself. */
  source?: 'header_html' | 'footer_html'
  message: string
}

/** The texts with their `asset:` URLs, without those that have none. */
export interface AssetTexts {
  html?: AssetText
  headerHtml?: AssetText
  footerHtml?: AssetText
}

/** Each `asset:` URL is replaced on the event loop: 100,000 of them would hold it for a tenth of a second. */
const maxAssetUrls = 20_000

export function inspectTexts(texts: DocumentTexts): TextTraits {
  const { html, headerHtml, footerHtml, javascript, mostRows } = texts
  return {
    traits: inspectDocument(html, { javascript, mostRows }),
    header: inspectFragment(headerHtml),
    footer: inspectFragment(footerHtml),
    ...readAssetTexts({ html, headerHtml, footerHtml }),
    ...unloadableIn({ html, headerHtml, footerHtml }),
    ...unreadablePages({ header_html: headerHtml, footer_html: footerHtml }),
  }
}

function unreadablePages(texts: Record<string, string>): Pick<TextTraits, 'pageChoices'> {
  const found = Object.entries(texts).flatMap(([name, html]) =>
    pageChoiceProblems(html).map(({ message }) => `${name}: ${message}`),
  )
  return found.length === 0 ? {} : { pageChoices: found }
}

function unloadableIn({ html, headerHtml, footerHtml }: Record<keyof AssetTexts, string>): {
  unloadable?: Unloadable[]
} {
  const found: Unloadable[] = [
    ...pictures(html, {}),
    ...margin(headerHtml, { source: 'header_html' }),
    ...margin(footerHtml, { source: 'footer_html' }),
  ]
  return found.length === 0 ? {} : { unloadable: found }
}

const margin = (html: string, source: Pick<Unloadable, 'source'>) => [
  ...marginProblems(html, isAssetUrl).map(({ url, reason }: MarginProblem) => ({
    ...source,
    message: `${url}: ${reason}`,
  })),
  ...pictures(html, source),
]

const pictures = (html: string, source: Pick<Unloadable, 'source'>) =>
  dataSvgReferences(html).map(({ picture, urls }) => ({ ...source, message: `${picture}: ${refersTo(urls)}` }))

/** Finds asset references. A document without assets costs one search for the scheme. */
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
