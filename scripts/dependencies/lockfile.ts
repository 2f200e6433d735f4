import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** `name@version`, where a package with peers has `name@version(peer@version)`. */
export type Snapshot = string

interface Dependencies {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** What Platen reads of pnpm-lock.yaml, whose version is 9 (https://github.com/pnpm/spec/blob/master/lockfile/9.0.md). */
export interface Lockfile {
  /** By folder of the workspace. A version `link:…` is another folder. */
  importers: Record<string, { [Group in keyof Dependencies]?: Record<string, { version: string }> }>
  packages: Record<string, { resolution: { integrity?: string }; deprecated?: string; os?: string[] }>
  snapshots: Record<Snapshot, Dependencies>
}

export function readLockfile(root: string): Lockfile {
  const lockfile = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as Lockfile & { lockfileVersion: string }
  if (lockfile.lockfileVersion !== '9.0')
    throw new Error(`pnpm-lock.yaml has version ${lockfile.lockfileVersion}, not 9.0`)
  return lockfile
}

/** `@a/b@1.0.0(c@2.0.0)` as its name and version. */
export function splitSnapshot(snapshot: Snapshot): { name: string; version: string } {
  const [plain = ''] = snapshot.split('(')
  const at = plain.lastIndexOf('@')
  return { name: plain.slice(0, at), version: plain.slice(at + 1) }
}

/** The snapshot that a dependency leads to. An alias has its own name in its version: `d3@5.16.0`. */
export function snapshotOf(name: string, version: string): Snapshot {
  const [plain = ''] = version.split('(')
  return plain.includes('@') ? version : `${name}@${version}`
}
