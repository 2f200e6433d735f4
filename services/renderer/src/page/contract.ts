// What the renderer and its functions in pages say to each other. Everything becomes JSON. The renderer has no types of the DOM.

import type { PageRules } from '../inspect/page-rules.ts'

/** Facts about a loaded document, read in its page. Scripts control them, so that every size is bounded. */
export interface DocumentDescription {
  /** `<html lang>`; empty if absent. */
  lang: string
  /** `<meta name="author">`; empty if absent. The same for the next two. */
  author: string
  description: string
  keywords: string
  /** URLs of images that have loaded but are not readable. */
  brokenImages: string[]
  /** Visible characters that the system may have no font for, each once, without those in the document's own fonts. */
  rareCharacters: string
  /** What its `@page` rules without a name set, if requested. */
  pageRules?: PageRules | undefined
  /** The lines and blocks of each heading that has several, if requested. */
  brokenHeadings?: string[][] | undefined
}

/** The parts of the description that take time, which are read only if requested. */
export interface DescriptionParts {
  rareCharacters: boolean
  pageRules: boolean
  brokenHeadings: boolean
}

/** `whenLoaded`: undefined until the document is complete. `atOnce`: the same without layout. `anyway`: the time is up. */
export type DescriptionTime = 'whenLoaded' | 'atOnce' | 'anyway'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The functions in `scripts/`. */
export interface PageScripts {
  /** The first element that refers to each URL (without fragment), as `<tag>`. URLs that only style sheets refer to are missing. */
  findElements(urls: readonly string[]): Record<string, string>
  matchesSelector(selector: string): boolean | 'invalid'
  /** Undefined if no element matches. */
  boxOf(selector: string): Box | undefined
  /** Removes forced page breaks, and returns the height of the document in CSS pixels. */
  measureHeight(): number
  layOut(): void
  describeDocument(time: DescriptionTime): DocumentDescription | undefined
  /** The same with parts that take time. */
  describeInDepth(time: DescriptionTime, parts: DescriptionParts): DocumentDescription | undefined
  /** Whether fonts and images of a frame are loaded. */
  isFrameLoaded(): boolean
  /** Whether an animation is running that will end. */
  isAnimating(): boolean
  frameMovement(): 'animating' | 'scripted' | ''
  /** Charts draw themselves in animation frames. Frames come in real time, also while virtual time is paused. */
  drawTwoFrames(): Promise<void>
}
