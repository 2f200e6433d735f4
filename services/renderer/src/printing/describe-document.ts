/** What a document says of itself once it is there. It comes from its page: nothing of it is of any size by itself. */
export interface DocumentDescription {
  /** `<html lang>`; empty where there is none. */
  lang: string
  /** `<meta name="author">`; empty where there is none. */
  author: string
  /** Addresses of images that were loaded and cannot be shown. */
  brokenImages: string[]
  /** Characters out of the ordinary that are shown, each once, unless a font of the document's own has them. */
  rareCharacters: string
}

export const emptyDescription: DocumentDescription = { lang: '', author: '', brokenImages: [], rareCharacters: '' }

/** Latin letters and usual punctuation: what any installation can print, and what asks for no closer look. */
const ordinary = '\\0-\\u024f\\u2010-\\u2015\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u20ac\\u2122'

/**
 * Whether characters out of the ordinary may be in a document without script: as they are, as references, or in a
 * style's escapes. A plain one is spared the walk through its text.
 */
export function mayHoldRareCharacters(html: string): boolean {
  return hints.test(html)
}
const hints = new RegExp(
  `[^${ordinary}]|&(?!(?:amp|lt|gt|quot|apos|nbsp|copy|euro);|#(?:39|34|x27|160|x3D|x60);)[#a-z]`,
  'i',
)

/**
 * Functions of our isolated world: `describe()` gives the description. They come with every question, so the walk
 * through the text comes only where it is wanted. What belongs to the document is read past the names that its own elements may take
 * (`<img name=fonts>`).
 */
export function documentFunctions({ closely }: { closely: boolean }): string {
  return closely ? describing + walking : `${describing}\n  const rareCharacters = () => ''`
}

const describing = `
  const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document)
  const attribute = (element, name) => element ? (Element.prototype.getAttribute.call(element, name) ?? '').slice(0, 500) : ''
  const describe = () => {
    const head = own('head')
    return {
      lang: attribute(own('documentElement'), 'lang'),
      author: attribute(head && Element.prototype.querySelector.call(head, 'meta[name=author i]'), 'content'),
      brokenImages: brokenImages(),
      rareCharacters: rareCharacters(),
    }
  }
  const brokenImages = () => {
    const broken = []
    for (const image of own('images')) {
      if (image.naturalWidth > 0 || !image.complete || broken.length >= 30) continue
      const address = image.currentSrc || attribute(image, 'src')
      if (address !== '') broken.push(address.slice(0, 500))
    }
    return broken
  }`

const walking = `
  const rareCharacters = () => {
    const rare = /[^${ordinary}]/u
    const faces = [...own('fonts')].filter(({ status }) => status === 'loaded').map(({ family, unicodeRange }) => ({
      family: family.replace(/["']/g, '').toLowerCase(),
      ranges: unicodeRange.split(',').map((range) => {
        const [first, last = first] = range.trim().replace(/^u[+]/i, '').split('-')
        return [parseInt(first.replaceAll('?', '0'), 16), parseInt(last.replaceAll('?', 'f'), 16)]
      }),
    }))
    const found = new Set()
    const walker = Document.prototype.createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node && found.size < 2000; node = walker.nextNode()) {
      if (!rare.test(node.data)) continue
      const parent = node.parentElement
      if (!parent || !Element.prototype.checkVisibility.call(parent)) continue
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
