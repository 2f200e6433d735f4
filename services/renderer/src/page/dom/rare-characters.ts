import { rare } from './characters.ts'
import { call, dom } from './dom.ts'

/** The visible characters that the system may have no font for, without those in fonts that the document has loaded. */
export function rareCharacters(): string {
  const faces = [...dom.fonts].filter(({ status }) => status === 'loaded').map(faceOf)
  const found = new Set<string>()
  const walker = dom.createTreeWalker(document, NodeFilter.SHOW_TEXT)
  for (
    let node = walker.nextNode() as Text | null;
    node && found.size < 2_000;
    node = walker.nextNode() as Text | null
  ) {
    if (!rare.test(node.data)) continue
    const parent = node.parentElement
    if (!parent || !call(parent, 'checkVisibility')) continue
    const families = faces.length === 0 ? '' : getComputedStyle(parent).fontFamily.toLowerCase()
    const used = faces.filter(({ family }) => families.includes(family))
    for (const character of node.data) {
      if (!rare.test(character) || found.has(character)) continue
      const code = character.codePointAt(0) ?? 0
      if (!used.some(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last)))
        found.add(character)
    }
  }
  return [...found].join('')
}

function faceOf({ family, unicodeRange }: FontFace) {
  return {
    family: family.replace(/["']/g, '').toLowerCase(),
    ranges: unicodeRange.split(',').map((range): [first: number, last: number] => {
      const [first = '', last = first] = range.trim().replace(/^u[+]/i, '').split('-')
      return [Number.parseInt(first.replaceAll('?', '0'), 16), Number.parseInt(last.replaceAll('?', 'f'), 16)]
    }),
  }
}
