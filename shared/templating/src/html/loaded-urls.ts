import { type CssUrl, cssUrls } from '../css/css-urls.ts'
import { readMarkup } from './read-markup.ts'
import { type Attribute, attributeValue, type Tag } from './read-tag.ts'
import { imageCandidates } from './srcset.ts'

/** A URL that a document loads by itself. Links are not among them. */
export interface LoadedUrl {
  /** The URL with character references and escapes resolved. */
  url: string
  /** An offset in the text, at the URL or before it. */
  at: number
  kind: 'sheet' | 'import' | 'font' | 'other'
  /** The element it is for; `style` for a style sheet. */
  element: string
}

/** Attributes whose values may refer to something by `url()`. */
const stylingAttributes = new Set([
  ...['style', 'fill', 'stroke', 'filter', 'mask', 'clip-path', 'cursor'],
  ...['marker', 'marker-start', 'marker-mid', 'marker-end'],
])
/** Elements whose `href` loads nothing by itself. */
const linking = new Set(['a', 'area', 'base'])

/** The URLs that an HTML or SVG text loads, in time linear to its length. */
export function loadedUrls(html: string): LoadedUrl[] {
  const found: LoadedUrl[] = []
  readMarkup(html, {
    startTag: (tag) => found.push(...urlsOfTag(tag)),
    style: (css, start = 0) => found.push(...urlsOfStyle(css, start, 'style')),
  })
  return found
}

function urlsOfTag({ name, attributes }: Tag): LoadedUrl[] {
  const element = name.slice(name.lastIndexOf(':') + 1)
  return attributes.flatMap((attribute) => urlsOfAttribute(element, attribute, attributes))
}

function urlsOfAttribute(element: string, { name, value, start }: Attribute, all: readonly Attribute[]): LoadedUrl[] {
  const one = (kind: LoadedUrl['kind'] = 'other') => [{ url: value.trim(), at: start, kind, element }]
  switch (name) {
    case 'href':
    case 'xlink:href':
      if (element !== 'link') return linking.has(element) ? [] : one()
      return attributeValue(all, 'rel')?.toLowerCase().includes('stylesheet') ? one('sheet') : []
    case 'src':
    case 'poster':
    case 'background':
      return one()
    case 'data':
      return element === 'object' ? one() : []
    case 'srcset':
    case 'imagesrcset':
      return imageCandidates(value).map(({ url }) => ({
        url: url.replace(/,+$/, ''),
        at: start,
        kind: 'other',
        element,
      }))
    default:
      return stylingAttributes.has(name) && value.includes('(') ? urlsOfStyle(value, start, element, true) : []
  }
}

/** `isAttribute`: offsets in the value are not those of the text. */
function urlsOfStyle(css: string, start: number, element: string, isAttribute = false): LoadedUrl[] {
  return cssUrls(css).map((found) => ({
    url: found.value,
    at: isAttribute ? start : start + found.start,
    kind: kindOf(css, found),
    element,
  }))
}

function kindOf(css: string, { start }: CssUrl): LoadedUrl['kind'] {
  const rule = css.slice(Math.max(0, start - 2_000), start).toLowerCase()
  if (/@import\s*(?:url\(\s*)?["']?$/.test(rule)) return 'import'
  return rule.lastIndexOf('@font-face') > rule.lastIndexOf('}') ? 'font' : 'other'
}
