import type { PageRules } from './page-rules.ts'

const nothing = {
  script: false,
  frames: false,
  loads: false,
  fetches: false,
  /** The URL of an image or frame is a fragment. With a `<base>` such a URL loads another document. */
  loadsFragment: false,
  /** Any `<link>`. */
  links: false,
  /** A style sheet outside of the document's text, by `<link>` or `@import`. */
  linkedStyles: false,
  fontFaces: false,
  /** The document may leave state on the page for a reason other than its requests. */
  leavesState: false,
  /** Starts by itself. */
  moves: false,
  /** Animations and transitions that a script or another style sheet may start. */
  animates: false,
  viewportDependent: false,
  setsInset: false,
  rareCharacters: false,
}

/** What the pass over a document has found so far. The traits of the document are derived from it. */
export type Findings = Record<keyof typeof nothing, boolean> & {
  pageRules: PageRules | undefined
  baseHref: string | undefined
  lang: string | undefined
  author: string | undefined
  /** Rows of all tables together. */
  rows: number
}

export const noFindings: Readonly<Findings> = {
  ...nothing,
  pageRules: undefined,
  baseHref: undefined,
  lang: undefined,
  author: undefined,
  rows: 0,
}

/** From markup that can be parsed in two ways with different results. */
export const doubtfulFindings: Readonly<Record<keyof typeof nothing, true>> = {
  script: true,
  frames: true,
  loads: true,
  fetches: true,
  loadsFragment: true,
  links: true,
  linkedStyles: true,
  fontFaces: true,
  leavesState: true,
  moves: true,
  animates: true,
  viewportDependent: true,
  setsInset: true,
  rareCharacters: true,
}
