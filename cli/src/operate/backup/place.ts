import type { Readable } from 'node:stream'

export interface Part {
  /** Bytes. */
  size: number
  /** SHA-256 in hex. */
  sha256: string
}

/** The content of a file. */
export interface Content extends Part {
  /** The parts of a large file in a bucket. */
  parts?: readonly Part[]
}

export const partsOf = (content: Content): readonly Part[] => content.parts ?? [content]

/** Whether a file may be content of a backup. Others in the same folder or bucket are not removed. */
export const isContentName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)

/**
 * The place of a backup. Files are named by their hash and never changed, so that a new backup cannot damage the
 * previous one.
 */
export interface BackupPlace extends AsyncDisposable {
  /** The folder or URL as the operator has written it, without keys, for messages. */
  name: string
  /** A backup is written alone; several processes may read it. Rejects if another process has it. */
  lock(kind: 'shared' | 'exclusive'): Promise<AsyncDisposable>
  /** Rejects if the lock was lost: another process writes. To be called before what others may need is removed. */
  confirmLock(): Promise<void>
  /** Undefined if there is none. */
  readManifest(): Promise<string | undefined>
  /** Replaces it whole. What it names is durable. */
  writeManifest(text: string): Promise<void>
  /** A file of this machine, to be written and then kept. What an earlier process has left there is removed. */
  newFile(): Promise<string>
  /** Stores the content of `newFile`. */
  keepNew(): Promise<Content>
  /** Stores a copy of a file. Several calls may run at once, each with its own lane. */
  add(source: string, lane: number): Promise<Content>
  /** Whether the content is there, by its size. It is there only if it is whole. */
  has(content: Content): Promise<boolean>
  /** Undefined if it is missing. */
  read(content: Content): Promise<Readable | undefined>
  /**
   * Writes the content to a file of this machine and flushes it. Resolves with the size and hash of the bytes;
   * undefined if it is missing.
   */
  copyTo(content: Content, path: string): Promise<Content | undefined>
  /** A file of this machine with the content, to be opened. Undefined if it is missing. */
  openFile(content: Content): Promise<string | undefined>
  /**
   * Removes all files but these: those of the previous backup, and of an interrupted one. Files that belong to no
   * backup stay.
   */
  removeOthers(named: readonly Content[]): Promise<void>
}
