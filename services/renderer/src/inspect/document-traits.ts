import type { PageRules } from './page-rules.ts'

/** How long tables are printed. */
export interface TableSizes {
  /** A table with more rows is split. The time of Chromium grows with the square of the rows of a table: 30,000 take half a minute. */
  mostRows: number
  /** Rows of a slice. More rows take more memory and no less time. */
  rowsOfSlice: number
  /** Rows of a part: a multiple of the common periods of `:nth-child()` (2, 3, 4, 6). */
  rowsOfPart: number
}

export const tableSizes: TableSizes = { mostRows: 4_000, rowsOfSlice: 1_000, rowsOfPart: 600 }

/**
 * Facts in the text of a document that decide how it is printed. In doubt a trait is true: a wrong `true` costs time, a
 * wrong `false` changes the printed document.
 */
export interface DocumentTraits {
  /**
   * Scripts could run, or what is shown depends on whether they can: `<script>` other than JSON, event attributes,
   * `javascript:` URLs, `<noscript>`, `<video>` (without scripts Chromium shows its controls), `<canvas>` (without
   * scripts its fallback), `@media (scripting)`, `<meta http-equiv=refresh>`. `<audio>`, `<marquee>` and declarative
   * shadow roots print the same either way. A frame, object or embed counts if scripts could run in it: not a frame
   * with a sandbox without `allow-scripts`, nor an object or embed that shows an image. Always false where the author has switched scripts off.
   */
  script: boolean
  /** The document contains other documents, or elements that may: frames, `<object>`, `<embed>` and similar ones. */
  frames: boolean
  /** May refer to something that takes time to load, including `data:` URLs and system fonts. */
  loads: boolean
  /**
   * Refers to at least one URL that is neither a `data:` URL nor a fragment. Requests of scripts are not included.
   */
  fetches: boolean
  /** Has style sheets outside of its text. Their content is not known here. */
  linkedStyles: boolean
  /**
   * Leaves state for the next document on the page unless the page is reset: a `<meta>` other than a charset,
   * `autofocus`, a title on a style sheet (the preferred style sheet set), and everything that `fetches` includes.
   * `<base>` does not.
   */
  leavesState: boolean
  /**
   * Something is animated: keyframes, `@starting-style`, SMIL, `<marquee>`. Animations and transitions that a script or a
   * linked style sheet must start count if there is one. The content of linked style sheets is not known.
   */
  moves: boolean
  /**
   * The size of the window before printing may change the document: viewport units, media features of the window, percentages of heights,
   * images chosen by width, linked style sheets, frames, scripts.
   */
  viewportDependent: boolean
  /** Undefined if the text of the document has no `@page` rule without a name. */
  pageRules: PageRules | undefined
  /** The `href` of the first `<base>` that has one. */
  baseHref: string | undefined
  /** `<html lang>`, at most 500 characters; empty if there is none. */
  lang: string
  /** `<meta name=author>`, at most 500 characters; empty if there is none. */
  author: string
  /** May have contents lists or references that show page numbers. */
  pageNumbers: boolean
  /** May have a table that is split. Those that scripts make are not known here. */
  manyRows: boolean
  /** The text or an attribute holds characters that not every installation has a font for. */
  rareCharacters: boolean
}

/** Facts about the HTML of a header or footer. */
export interface FragmentTraits {
  /** The same meaning as in `DocumentTraits`. */
  script: boolean
  /** `@import`, `@font-face` or `<link>`, which Chromium refuses to print in a header or footer. */
  loadsStyles: boolean
  /** Declares a `padding` or `margin` of its own. */
  setsInset: boolean
  /** Elements of it may be for some pages only. */
  choosesPages: boolean
  /** The formats of the sums that it shows by `data-platen-carry`. Undefined if there are none. */
  sumFormats?: string[] | undefined
}
