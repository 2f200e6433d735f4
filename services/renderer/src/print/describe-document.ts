import type { DocumentTraits } from '../inspect/document-traits.ts'
import type { PageRules } from '../inspect/page-rules.ts'
import { domFunctions } from './dom-functions.ts'
import { headingFunctions } from './heading-functions.ts'

/** Facts about a loaded document, read in its page. Scripts control them, so that every size is bounded. */
export interface DocumentDescription {
  /** `<html lang>`; empty if absent. */
  lang: string
  /** `<meta name="author">`; empty if absent. The same for the next two. */
  author: string
  description: string
  keywords: string
  /** URLs of images that have loaded but are not readable. */
  brokenImages: string[]
  /** Visible characters that the system may have no font for, each once, without those in the document's own fonts. */
  rareCharacters: string
  /** What its `@page` rules without a name set, if requested. */
  pageRules?: PageRules
  /** The lines and blocks of each heading that has several, if requested. */
  brokenHeadings?: string[][]
}

export const emptyDescription: DocumentDescription = {
  lang: '',
  author: '',
  description: '',
  keywords: '',
  brokenImages: [],
  rareCharacters: '',
}

/** A document whose `<html>` is not where the parser could ignore it, or that has none. */
const beginsWithRoot = /^\s*(?:<!doctype[^<>]*>\s*)?<html[\s>]/i

interface DescribedText {
  html: string
  traits: DocumentTraits
  options: { outline?: boolean | undefined }
}

/**
 * The description of a document that loads nothing, read from its text. Undefined if only the page knows it: if the
 * document has a `<meta>` or rare characters, or if headings are needed. Asking the page takes as long as printing the
 * content of a short document.
 */
export function descriptionFromText({ html, traits, options }: DescribedText): DocumentDescription | undefined {
  if (traits.leavesState || traits.rareCharacters || options.outline === true) return undefined
  const roots = html.match(/<html/gi)?.length ?? 0
  if (roots > 1 || (roots === 1 && !beginsWithRoot.test(html))) return undefined
  return { ...emptyDescription, lang: traits.lang }
}

/** Latin letters and common punctuation, which every system can print. */
export const commonCharacters = '\\0-\\u024f\\u2010-\\u2015\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u20ac\\u2122'

/** The parts of the description that take time, which are read only if requested. */
export interface DescriptionParts {
  rareCharacters: boolean
  pageRules: boolean
  brokenHeadings: boolean
}

/** Functions for the isolated world: `describe()` returns the description. */
export function documentFunctions({ rareCharacters, pageRules, brokenHeadings }: DescriptionParts): string {
  return [
    domFunctions,
    describeFunctions,
    rareCharacters ? rareCharactersFunction : `const rareCharacters = () => ''`,
    pageRules ? pageRulesFunction : 'const pageRules = () => undefined',
    brokenHeadings ? `${headingFunctions}\n${brokenHeadingsFunction}` : 'const brokenHeadings = () => undefined',
  ].join('\n')
}

const describeFunctions = `
  const attribute = (element, name) => (element?.getAttribute(name) ?? '').slice(0, 500)
  const describe = () => {
    const { head } = dom
    return {
      lang: attribute(dom.documentElement, 'lang'),
      author: meta(head, 'author'),
      description: meta(head, 'description'),
      keywords: meta(head, 'keywords'),
      brokenImages: brokenImages(),
      rareCharacters: rareCharacters(),
      pageRules: pageRules(),
      brokenHeadings: brokenHeadings(),
    }
  }
  const meta = (head, name) => attribute(head?.querySelector('meta[name=' + name + ' i]'), 'content')
  const brokenImages = () => {
    const broken = []
    for (const image of dom.images) {
      if (image.naturalWidth > 0 || !image.complete || broken.length >= 30) continue
      const url = image.currentSrc || attribute(image, 'src')
      if (url !== '') broken.push(url.slice(0, 500))
    }
    return broken
  }`

const rareCharactersFunction = `
  const rareCharacters = () => {
    const rare = /[^${commonCharacters}]/u
    const faces = [...dom.fonts].filter(({ status }) => status === 'loaded').map(({ family, unicodeRange }) => ({
      family: family.replace(/["']/g, '').toLowerCase(),
      ranges: unicodeRange.split(',').map((range) => {
        const [first, last = first] = range.trim().replace(/^u[+]/i, '').split('-')
        return [parseInt(first.replaceAll('?', '0'), 16), parseInt(last.replaceAll('?', 'f'), 16)]
      }),
    }))
    const found = new Set()
    const walker = dom.createTreeWalker(document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node && found.size < 2000; node = walker.nextNode()) {
      if (!rare.test(node.data)) continue
      const parent = node.parentElement
      if (!parent || !call(parent, 'checkVisibility')) continue
      const families = faces.length === 0 ? '' : getComputedStyle(parent).fontFamily.toLowerCase()
      const own = faces.filter(({ family }) => families.includes(family))
      for (const character of node.data) {
        const code = character.codePointAt(0)
        if (!rare.test(character) || found.has(character)) continue
        if (!own.some(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last))) found.add(character)
      }
    }
    return [...found].join('')
  }`

/** Style sheets of other origins cannot be read. */
const pageRulesFunction = `
  const pageRules = () => {
    const found = {}
    const visit = (rules, depth) => {
      for (const rule of rules) {
        if (rule instanceof CSSPageRule && rule.selectorText === '') {
          for (const name of ['size', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left']) {
            const value = rule.style.getPropertyValue(name).slice(0, 200)
            if (value !== '') found[name] = value
          }
        } else if (depth < 5 && rule.styleSheet) visitSheet(rule.styleSheet, depth + 1)
        else if (depth < 5 && rule.cssRules && (!rule.media || matchMedia(rule.media.mediaText).matches)) {
          if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule || rule instanceof CSSLayerBlockRule) {
            visit(rule.cssRules, depth + 1)
          }
        }
      }
    }
    const visitSheet = (sheet, depth) => {
      try {
        if (sheet.disabled || !matchMedia(sheet.media.mediaText).matches) return
        visit(sheet.cssRules, depth)
      } catch {}
    }
    for (const sheet of dom.styleSheets) visitSheet(sheet, 0)
    return found
  }`

const brokenHeadingsFunction = `
  const brokenHeadings = () => {
    const broken = []
    for (const heading of dom.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      if (heading.firstElementChild === null || broken.length >= 2000) continue
      const lines = linesOf(heading)
      if (lines.length > 1) broken.push(lines)
    }
    return broken
  }`
