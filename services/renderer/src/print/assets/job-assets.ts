import type { ServedAsset } from '../../egress/document-assets.ts'

/** The asset that a name stands for in one document. */
export interface FoundAsset {
  name: string
  sha256: string
  /** The last part of the key of its bytes. */
  object: string
  /** Media type. */
  type: string
  /** Its size. */
  bytes: number
  /** The assets that a style sheet names. */
  references: readonly string[]
}

/** The assets of the owner that a document may use. A name stands for one content throughout the document. */
export interface JobAssets {
  /** Undefined if the owner has no such asset. Throws the errors of the event store. */
  find(name: string): Promise<FoundAsset | undefined>
  /**
   * The bytes for the browser: in a style sheet the names of assets are relative URLs. Undefined if the object store has lost
   * them. Throws the errors of the object store.
   */
  read(asset: FoundAsset): Promise<ServedAsset | undefined>
  /** The URLs in each SVG picture that was read, by the name of its asset. Pictures without URLs are left out. */
  pictureReferences(): ReadonlyMap<string, readonly string[]>
}

export const noSuchAsset = 'there is no asset of this name'
export const lostAsset = 'the object store has lost its bytes; upload it again'
