import type { PageRules } from './page-rules.ts'

/**
 * What a document's own text shows of how it must be printed. If the text leaves a doubt, the trait is true: a wrong
 * `true` costs time, a wrong `false` prints something other than what the author sees.
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
  /** Documents within the document, or elements that may hold one: frames, `<object>`, `<embed>` and their like. */
  frames: boolean
  /** May refer to something that takes time to arrive, `data:` URLs and fonts of the system included. */
  loads: boolean
  /**
   * Some of that lies outside of the document: its URL is neither a `data:` URL nor a fragment. What scripts fetch is
   * not known here.
   */
  fetches: boolean
  /** Style sheets come from outside of the document's text: what is in them is not known here. */
  linkedStyles: boolean
  /**
   * Holds for the next document on the same page unless the page is reset: a `<meta>` other than a charset,
   * `autofocus`, a title on a style sheet (the preferred style sheet set), and whatever `fetches`. `<base>` does not.
   */
  leavesState: boolean
  /**
   * Something moves by itself: keyframes, `@starting-style`, SMIL, `<marquee>`; animations and transitions that need a
   * script or a linked style sheet to begin count where there is one. What is only in linked style sheets is not known.
   */
  moves: boolean
  /**
   * The window's size before printing may show: viewport units, media features of the window, percentages of heights,
   * images chosen by width, linked style sheets, frames, scripts.
   */
  viewportDependent: boolean
  /** Undefined if no `@page` rule without a name stands in the document's own text. */
  pageRules: PageRules | undefined
  /** The `href` of the first `<base>` that has one. */
  baseHref: string | undefined
  /** `<html lang>`, at most 500 characters; empty if there is none. */
  lang: string
  /** `<meta name=author>`, at most 500 characters; empty if there is none. */
  author: string
  /** The text or an attribute holds characters that not every installation has a font for. */
  rareCharacters: boolean
}

/** What matters of the HTML of a header or footer. */
export interface FragmentTraits {
  /** As in a document. */
  script: boolean
  /** `@import`, `@font-face` or `<link>`, which Chromium refuses to print in a header or footer. */
  loadsStyles: boolean
  /** Declares a `padding` or `margin` of its own. */
  setsInset: boolean
}
