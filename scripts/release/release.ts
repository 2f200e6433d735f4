import type { Commit } from './commit.ts'

/** A release that is being built. */
export interface Release {
  version: string
  commit: Commit
  /** The folder of its files. */
  out: string
  /** The command, which may have arguments: `npx --yes pnpm@12.21.0`. */
  pnpm: string
  python: string
}
