import { type LoadedUrl, loadedUrls } from './loaded-urls.ts'
import { dataType, urlKind } from './url-kind.ts'

/** More of one picture, and of a document, need not be named. */
const maxUrls = 10
const maxPictures = 20
/** The rest of a larger picture is not read, as that would hold the event loop. */
const maxChars = 2 * 2 ** 20

/**
 * The URLs that an SVG picture refers to and that no browser loads in a picture: those of pictures, fonts, style sheets and
 * elements of other files. `data:` URLs and its own elements are shown.
 */
export function svgReferences(svg: string): string[] {
  const text = svg.slice(0, maxChars)
  const sheets = [...text.matchAll(/<\?xml-stylesheet\b[^>]{0,500}?href\s*=\s*["']([^"'>]{1,500})["']/g)]
  const urls = [...sheets.map(([, url = '']) => url), ...loadedUrls(text).map(({ url }) => url)]
  return [...new Set(urls.filter((url) => urlKind(url) === 'outside'))].slice(0, maxUrls)
}

/** The references of one picture. */
export interface SvgReferences {
  /** The beginning of its URL. */
  picture: string
  urls: string[]
}

/** References of the SVG pictures in `data:` URLs of a document. A document without such URLs costs one search. */
export function dataSvgReferences(html: string): SvgReferences[] {
  if (!/data:image\/svg\+xml/i.test(html)) return []
  const pictures = new Set(
    loadedUrls(html)
      .filter(isPicture)
      .map(({ url }) => url),
  )
  const found: SvgReferences[] = []
  let chars = 0
  for (const picture of pictures) {
    chars += picture.length
    if (chars > maxChars || found.length === maxPictures) break
    const urls = svgReferences(contentOf(picture))
    if (urls.length > 0) found.push({ picture: `${picture.slice(0, 60)}…`, urls })
  }
  return found
}

/** In these elements an SVG is a document, which loads what it refers to. */
const frames = new Set(['object', 'embed', 'iframe', 'frame'])

const isPicture = ({ url, element }: LoadedUrl) =>
  urlKind(url) === 'data' && dataType(url) === 'image/svg+xml' && !frames.has(element)

function contentOf(dataUrl: string): string {
  const comma = dataUrl.indexOf(',')
  const content = dataUrl.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(dataUrl.slice(0, comma))) return Buffer.from(content, 'base64').toString()
  try {
    return decodeURIComponent(content)
  } catch {
    return content
  }
}

/** The message of a warning about a picture. */
export const refersTo = (urls: readonly string[]) =>
  `it refers to ${urls.map((url) => url.slice(0, 200)).join(', ')}, and a picture in a document loads nothing; put it into the SVG as a data: URL`
