import { posix } from 'node:path'
import { type Lockfile, type Snapshot, snapshotOf } from '../../dependencies/lockfile.ts'

export interface Closure {
  direct: Snapshot[]
  /** What each package depends on. */
  reached: Map<Snapshot, Snapshot[]>
}

/**
 * The packages that folders of the workspace install for production, without optional ones. Private folders are no packages: what they
 * depend on belongs to those that link them. `published` has the folders that are packages of their own.
 */
export function closureOf(
  folders: readonly string[],
  { importers, snapshots }: Pick<Lockfile, 'importers' | 'snapshots'>,
  published: ReadonlyMap<string, Snapshot>,
): Closure {
  const folderOf = new Map([...published].map(([folder, snapshot]) => [snapshot, folder] as const))

  const targetsOf = (folder: string, seen = new Set<string>()): Snapshot[] => {
    if (seen.has(folder)) return []
    seen.add(folder)
    const importer = importers[folder]
    if (!importer) throw new Error(`pnpm-lock.yaml has no folder ${folder}`)
    return Object.entries(importer.dependencies ?? {}).flatMap(([name, { version }]) => {
      if (!version.startsWith('link:')) return snapshotOf(name, version)
      const linked = posix.join(folder, version.slice('link:'.length))
      return published.get(linked) ?? targetsOf(linked, seen)
    })
  }

  const reached = new Map<Snapshot, Snapshot[]>()
  const visit = (snapshot: Snapshot) => {
    if (reached.has(snapshot)) return
    const folder = folderOf.get(snapshot)
    const targets = folder === undefined ? dependenciesOf(snapshot, snapshots) : targetsOf(folder)
    reached.set(snapshot, targets)
    targets.forEach(visit)
  }
  const direct = [...new Set(folders.flatMap((folder) => targetsOf(folder)))]
  direct.forEach(visit)
  return { direct, reached }
}

function dependenciesOf(snapshot: Snapshot, snapshots: Lockfile['snapshots']): Snapshot[] {
  const found = snapshots[snapshot]
  if (!found) throw new Error(`pnpm-lock.yaml has no snapshot ${snapshot}`)
  return Object.entries(found.dependencies ?? {}).map(([name, version]) => snapshotOf(name, version))
}
