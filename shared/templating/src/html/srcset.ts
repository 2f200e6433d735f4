import { isSpace } from '../css/characters.ts'

export interface ImageCandidate {
  url: string
  /** A descriptor such as `2x` or `640w`; empty if there is none. */
  descriptor: string
}

const comma = 0x2c

/** The candidates of a `srcset` attribute (HTML standard, 4.8.4.2.1). Faulty descriptors are passed over. */
export function imageCandidates(srcset: string): ImageCandidate[] {
  const candidates: ImageCandidate[] = []
  let at = 0
  for (;;) {
    while (isSpace(srcset.charCodeAt(at)) || srcset.charCodeAt(at) === comma) at++
    if (at >= srcset.length) return candidates
    let urlEnd = at
    while (urlEnd < srcset.length && !isSpace(srcset.charCodeAt(urlEnd))) urlEnd++
    const url = srcset.slice(at, urlEnd)
    // A URL may hold commas, but not at its end: there they end the candidate.
    const ended = url.endsWith(',')
    const end = ended ? urlEnd : endOfDescriptors(srcset, urlEnd)
    candidates.push({ url, descriptor: srcset.slice(urlEnd, end).trim() })
    at = end
  }
}

/** Commas in parentheses do not count. */
function endOfDescriptors(srcset: string, from: number): number {
  let inParentheses = false
  for (let at = from; at < srcset.length; at++) {
    const character = srcset[at]
    if (character === '(') inParentheses = true
    else if (character === ')') inParentheses = false
    else if (character === ',' && !inParentheses) return at
  }
  return srcset.length
}
