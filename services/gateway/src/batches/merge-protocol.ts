export interface MergeTask {
  /** PDF files, in order. */
  files: readonly Uint8Array[]
  title: string
}

export type MergeResult = { pdf: Uint8Array } | { failed: string }
