import type { DocumentTraits } from '../inspect/document-traits.ts'
import type { DocumentDescription } from '../page/contract.ts'

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
