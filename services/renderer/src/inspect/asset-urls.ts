import { isAssetName, nameFrom, referenceOf } from '@platen/domain/asset/asset-name.ts'
import { cssUrls } from '@platen/templating/css/css-urls.ts'
import { readMarkup } from '@platen/templating/html/read-markup.ts'
import type { Attribute, Tag } from '@platen/templating/html/read-tag.ts'
import { imageCandidates } from '@platen/templating/html/srcset.ts'
import { isFrame } from './frames.ts'

export interface AssetReference {
  /** Name of the asset. */
  asset: string
  /** The URL from its `?` or `#` on, in characters that need no escape in HTML and CSS; or empty. */
  suffix: string
  /** The place where a `data:` URL would look the same: an image of the document, or its style sheets. */
  place?: 'image' | 'style'
  /** Whether the reference is the document of a frame, object or embed. */
  framed?: true
  /** The tag of a `<link rel=stylesheet>` that a `<style>` could replace. The reference then stands for the whole tag. */
  sheet?: SheetTag
}

/** A `<link rel=stylesheet>` in the head, with no other attributes than these. */
export interface SheetTag {
  /** The tag before and after its URL, with the quotes. */
  before: string
  after: string
  /** The value of `media`, with its character references decoded. */
  media: string | undefined
}

/** A text in which each `asset:` URL is replaced with what it refers to. */
export type AssetText = readonly (string | AssetReference)[]

const scheme = 'asset:'

/** Whether a text may refer to assets. Others are not read for them. */
export const mayReferToAssets = (text: string) => text.includes(scheme)

/** Documents in attributes of documents are read up to this depth. */
const maxDepth = 3

/**
 * Finds the `asset:` URLs of a document that load something: in attributes, style sheets and style attributes, in time linear
 * to its length. The scheme is written in lower case and without character references. Links are left as they are. Undefined
 * if there is none.
 */
export function readAssetUrls(html: string, depth = 0): AssetText | undefined {
  const edits: Edit[] = []
  let inHead = depth === 0
  readMarkup(html, {
    startTag(tag) {
      const { name, attributes } = tag
      inHead &&= headElements.has(name)
      const linked = inHead ? linkedSheet(html, tag) : undefined
      if (linked) {
        edits.push({ start: tag.start, end: tag.end, text: [linked] })
        return
      }
      const element = name.slice(name.lastIndexOf(':') + 1)
      for (const attribute of attributes) {
        if (!mayReferToAssets(attribute.value)) continue
        const text = readAttribute(element, attribute, depth)
        const { start, end } = attribute
        if (text) edits.push({ start, end, text: ['"', ...text.map(inAttribute), '"'] })
      }
    },
    style(css, start) {
      if (start === undefined || !mayReferToAssets(css)) return
      for (const { start: from, end, reference } of stylesheetUrls(css, assetReference)) {
        edits.push({ start: start + from, end: start + end, text: [placed(reference, depth, 'style')] })
      }
    },
  })
  return edits.length === 0 ? undefined : applied(html, edits)
}

/**
 * Finds the asset references in a style sheet that is itself an asset. Relative URLs in it, such as `brand.woff2`, name
 * assets, too.
 */
export function readSheetUrls(css: string, name: string): AssetText | undefined {
  return readStyle(css, (url) => {
    const reference = referenceOf(url)
    const asset = reference && nameFrom(name, reference)
    return asset ? { asset, suffix: suffixOf(url) } : undefined
  })
}

/** Finds only the URLs that the browser does not resolve itself: `asset:` is replaced with the path to the root. */
export function readSheetSchemes(css: string): AssetText | undefined {
  return mayReferToAssets(css) ? readStyle(css, assetReference) : undefined
}

/** The text with a URL for each reference. */
export function withUrls(text: AssetText, urlOf: (reference: AssetReference) => string): string {
  return text
    .map((part) => {
      if (typeof part === 'string') return part
      const { before = '', after = '' } = part.sheet ?? {}
      return before + urlOf(part) + after
    })
    .join('')
}

/** `asset:icons.svg#star`. Undefined for other URLs, and for what cannot be a name. */
export function assetReference(url: string): AssetReference | undefined {
  const trimmed = url.trim()
  if (!trimmed.startsWith(scheme)) return undefined
  const suffix = suffixOf(trimmed)
  const [asset = ''] = trimmed.slice(scheme.length).split(/[?#]/, 1)
  return isAssetName(asset) ? { asset, suffix } : undefined
}

/** The URL from its `?` or `#` on. */
function suffixOf(url: string): string {
  const trimmed = url.trim()
  const mark = trimmed.search(/[?#]/)
  return mark === -1 ? '' : escaped(trimmed.slice(mark))
}

interface Edit {
  /** Offsets of the text that is replaced. */
  start: number
  end: number
  text: AssetText
}

/** Edits that overlap an earlier one are dropped: of two readings of a text, both are right at most in part. */
function applied(source: string, edits: Edit[]): AssetText {
  const text: (string | AssetReference)[] = []
  let at = 0
  for (const edit of edits.sort((one, other) => one.start - other.start)) {
    if (edit.start < at) continue
    text.push(source.slice(at, edit.start), ...edit.text)
    at = edit.end
  }
  return [...text, source.slice(at)]
}

/** Attributes of SVG whose values may refer to something by `url()`. */
const stylingAttributes = new Set([
  ...['style', 'fill', 'stroke', 'filter', 'mask', 'clip-path', 'cursor'],
  ...['marker', 'marker-start', 'marker-mid', 'marker-end'],
])
/** Elements whose `href` loads nothing by itself. */
const linking = new Set(['a', 'area', 'base'])

function readAttribute(element: string, { name, value }: Attribute, depth: number): AssetText | undefined {
  switch (name) {
    case 'href':
    case 'xlink:href':
      return linking.has(element) ? undefined : readUrl(value)
    case 'src':
      if (isFrame(element)) return framed(value)
      return readUrl(value, element === 'img' && depth === 0 ? 'image' : undefined)
    case 'poster':
    case 'background':
      return readUrl(value)
    case 'data':
      return element === 'object' ? framed(value) : undefined
    case 'srcset':
    case 'imagesrcset':
      return readImageSet(value, (element === 'img' || element === 'source') && depth === 0 ? 'image' : undefined)
    case 'srcdoc':
      return depth < maxDepth ? readAssetUrls(value, depth + 1) : undefined
    default:
      return stylingAttributes.has(name) ? readStyle(value, styleReference(name, depth)) : undefined
  }
}

function framed(url: string): AssetText | undefined {
  const reference = assetReference(url)
  return reference && [{ ...reference, framed: true }]
}

function readUrl(url: string, place?: AssetReference['place']): AssetText | undefined {
  const reference = assetReference(url)
  return reference && [place ? { ...reference, place } : reference]
}

/** Attributes other than `style` refer to elements of SVG files, too, which `data:` URLs do not allow. */
const styleReference =
  (attribute: string, depth: number): ReadUrl =>
  (url) => {
    const reference = assetReference(url)
    return reference && attribute === 'style' ? placed(reference, depth, 'style') : reference
  }

const placed = (reference: AssetReference, depth: number, place: AssetReference['place']): AssetReference =>
  depth === 0 && place ? { ...reference, place } : reference

/**
 * As long as only these elements have come, the parser is in the head, where a `<style>` and a `<link>` are read alike.
 */
const headElements = new Set(['html', 'head', 'meta', 'title', 'link', 'style', 'base'])
const sheetAttributes = new Set(['rel', 'href', 'type', 'media'])

function linkedSheet(html: string, { name, attributes, start, end }: Tag): AssetReference | undefined {
  const values = new Map(attributes.map((attribute) => [attribute.name, attribute]))
  const href = values.get('href')
  if (name !== 'link' || !href || values.size !== attributes.length) return undefined
  const isSheet = values.get('rel')?.value.trim().toLowerCase() === 'stylesheet'
  const isCss = /^(text\/css)?$/i.test(values.get('type')?.value ?? '')
  const reference = assetReference(href.value)
  if (!isSheet || !isCss || !reference || attributes.some((attribute) => !sheetAttributes.has(attribute.name))) {
    return undefined
  }
  const before = `${html.slice(start, href.start)}"`
  const after = `"${html.slice(href.end, end)}`
  return { ...reference, sheet: { before, after, media: values.get('media')?.value } }
}

function readImageSet(srcset: string, place: AssetReference['place']): AssetText | undefined {
  const candidates = imageCandidates(srcset).map(({ url, descriptor }) => ({
    url,
    descriptor,
    reference: readUrl(url.replace(/,$/, ''), place)?.[0],
  }))
  if (candidates.every(({ reference }) => reference === undefined)) return undefined
  return candidates.flatMap(({ url, descriptor, reference }, index) => [
    ...(index === 0 ? [] : [', ']),
    reference ?? url.replace(/,+$/, ''),
    ...(descriptor === '' ? [] : [` ${descriptor}`]),
  ])
}

type ReadUrl = (url: string) => AssetReference | undefined

function readStyle(css: string, read: ReadUrl): AssetText | undefined {
  const edits = stylesheetUrls(css, read).map(({ start, end, reference }) => ({ start, end, text: [reference] }))
  return edits.length === 0 ? undefined : applied(css, edits)
}

function stylesheetUrls(css: string, read: ReadUrl) {
  return cssUrls(css).flatMap(({ start, end, value }) => {
    const reference = read(value)
    return reference ? [{ start, end, reference }] : []
  })
}

const inAttribute = (part: string | AssetReference) =>
  typeof part === 'string' ? part.replaceAll('&', '&amp;').replaceAll('"', '&quot;') : part

/** Percent-encodes what would end a URL in HTML or CSS, and what HTML reads as a character reference. */
function escaped(suffix: string): string {
  return suffix
    .toWellFormed()
    .replace(/[^\w.~!$*+,;:@/?#=%-]/g, encodeURIComponent)
    .replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
