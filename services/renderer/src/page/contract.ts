// What the renderer and its functions in pages say to each other. Everything becomes JSON. The renderer has no types of the DOM.

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
}
