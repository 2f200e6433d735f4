/** The assets that a document may load from its own origin, without a network. */
export interface DocumentAssets {
  /**
   * A random path that begins and ends with a slash. It differs for each document, so that no path of the base URL
   * equals it.
   */
  readonly path: string
  /** Throws a Refusal with the reason for the author, for example if there is no such asset. */
  get(name: string): Promise<ServedAsset>
}

export interface ServedAsset {
  /** Media type. */
  type: string
  bytes: Uint8Array
  /** The URLs that an SVG picture refers to. */
  refersTo?: readonly string[]
}

/** An SVG in a frame is a document of its own. No script runs in one, whatever the document around it may do. */
export const assetPolicy = "script-src 'none'; object-src 'none'; frame-src 'none'"
