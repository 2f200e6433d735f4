/**
 * The search splits words at punctuation, and finds nothing useful for `PDF/A` by "pdf" and "a". So words with a short part are
 * also indexed and searched as one word: `PDFA`, `einvoice`.
 */
export function joinedWords(text: string): string[] {
  const found = text.matchAll(/(?<!\p{L})(?:\p{L}{1,3}[/-]\p{L}+|\p{L}+[/-]\p{L}{1,3})(?!\p{L})/gu)
  return [...found].map(([word]) => word.replace(/[/-]/, ''))
}

/** Splits a query as the search does, and adds the joined words. */
export function queryWords(text: string): string[] {
  return [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...joinedWords(text)]
}

/** Adds the joined words to the text of a page for the index, but not to its headings, which are shown in results. */
export function withJoinedWords(html: string): string {
  return html.replace(/<h\d[\s\S]*?<\/h\d>|<[^>]*>|[^<]+/g, (part) =>
    part.startsWith('<') ? part : [part, ...joinedWords(part)].join(' '),
  )
}
