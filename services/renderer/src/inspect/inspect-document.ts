import type { JavascriptOption } from '@platen/domain/document/pdf-options.ts'
import { pageNumbersMark } from '@platen/templating/handlebars/helpers/page-numbers.ts'
import { amountMark, sumFormats } from '@platen/templating/html/carried-sums.ts'
import { pagesMark } from '@platen/templating/html/page-choice.ts'
import { type DocumentTraits, type FragmentTraits, tableSizes } from './document-traits.ts'
import { survey } from './survey.ts'

const numbered = new RegExp(`${pageNumbersMark}(?!${amountMark.slice(pageNumbersMark.length)}\\b)`)

const maxMetadataChars = 500

export interface DocumentOptions {
  javascript: JavascriptOption
  /** See `TableSizes`. */
  mostRows?: number | undefined
}

/** Reads a document once and returns its traits, in time linear to its length. */
export function inspectDocument(html: string, options: DocumentOptions): DocumentTraits {
  const { javascript, mostRows = tableSizes.mostRows } = options
  const found = survey(html)
  const script = found.script && javascript !== 'off'
  const fetches = found.fetches || (found.loadsFragment && found.baseHref !== undefined)
  return {
    script,
    frames: found.frames,
    loads: found.loads || fetches,
    fetches,
    linkedStyles: found.linkedStyles,
    leavesState: found.leavesState || fetches,
    moves: found.moves || (found.animates && (script || found.linkedStyles)),
    viewportDependent: found.viewportDependent || found.linkedStyles || found.frames || script,
    pageRules: found.pageRules,
    baseHref: found.baseHref,
    lang: found.lang?.slice(0, maxMetadataChars) ?? '',
    author: found.author?.slice(0, maxMetadataChars) ?? '',
    pageNumbers: numbered.test(html),
    manyRows: found.rows > mostRows,
    rareCharacters: found.rareCharacters,
  }
}

/** Reads the HTML of a header or footer once. */
export function inspectFragment(html: string): FragmentTraits {
  const findings = survey(html)
  return {
    script: findings.script,
    loadsStyles: findings.links || findings.linkedStyles || findings.fontFaces,
    setsInset: findings.setsInset,
    choosesPages: html.includes(pagesMark),
    sumFormats: sumFormats(html),
  }
}
