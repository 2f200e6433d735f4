import type { PageRules } from './page-rules.ts'

const nothing = {
  script: false,
  frames: false,
  loads: false,
  fetches: false,
  /** A fragment as the URL of an image or frame: with a `<base>` it leads out of the document. */
  loadsFragment: false,
  /** Any `<link>`. */
  links: false,
  /** A style sheet outside of the document's text, by `<link>` or `@import`. */
  linkedStyles: false,
  fontFaces: false,
  /** Other than by what it fetches. */
  leavesState: false,
  /** Needs nothing from outside to begin. */
  moves: false,
  /** Animations and transitions that something else may begin. */
  animates: false,
  viewportDependent: false,
  setsInset: false,
  rareCharacters: false,
}

/** What has been seen of a document so far. Its traits are drawn from it at the end. */
export type Findings = Record<keyof typeof nothing, boolean> & {
  pageRules: PageRules | undefined
  baseHref: string | undefined
  lang: string | undefined
  author: string | undefined
}

export const noFindings: Readonly<Findings> = {
  ...nothing,
  pageRules: undefined,
  baseHref: undefined,
  lang: undefined,
  author: undefined,
}

/** Of markup that can be read in two ways that do not agree. */
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
