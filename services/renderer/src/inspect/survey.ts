import { readMarkup } from '@platen/templating/html/read-markup.ts'
import { doubtfulFindings, type Findings, noFindings } from './findings.ts'
import { mayShowRareCharacters } from './rare-characters.ts'
import { readElement } from './read-element.ts'
import { readStyle } from './read-style.ts'

/** Reads a document or a part of one. */
export function survey(html: string): Findings {
  const findings: Findings = { ...noFindings, rareCharacters: mayShowRareCharacters(html) }
  const clear = readMarkup(html, {
    startTag: (tag) => readElement(tag, findings),
    style: (css) => readStyle(css, findings),
  })
  return clear ? findings : { ...findings, ...doubtfulFindings, rows: Number.POSITIVE_INFINITY }
}
