import { type Snapshot, splitSnapshot } from '../../dependencies/lockfile.ts'
import { sha256 } from '../archives.ts'
import type { Release } from '../release.ts'
import type { Closure } from './closure.ts'
import { type Component, npmComponent, purlOf } from './component.ts'

/** What is known of a package of npm. */
export type Facts = (snapshot: Snapshot) => { licence: string; integrity?: string | undefined }

/** What a bill of materials is about, and what it has. */
export interface Contents {
  subject: Component
  packages: Closure
  /** Components that are not of npm. */
  others: readonly Component[]
}

/** A bill of materials as JSON of CycloneDX 1.6 (ECMA-424). The same commit gives the same bytes. */
export function writeBom(
  { subject, packages, others }: Contents,
  factsOf: Facts,
  release: Pick<Release, 'version' | 'commit'>,
) {
  const components = new Map(others.map((one) => [one['bom-ref'], one]))
  const edges = new Map<string, Set<string>>()
  for (const [snapshot, targets] of packages.reached) {
    const one = npmComponent({ ...splitSnapshot(snapshot), ...factsOf(snapshot) })
    components.set(one['bom-ref'], one)
    // A package that is installed with several peers is one component.
    edges.set(one['bom-ref'], new Set([...(edges.get(one['bom-ref']) ?? []), ...targets.map(refOf)]))
  }
  const sorted = [...components.values()].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const direct = new Set([...packages.direct.map(refOf), ...others.map((one) => one['bom-ref'])])
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${release.commit.id} ${subject['bom-ref']}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(release.commit.epoch * 1_000).toISOString(),
      tools: { components: [{ type: 'application', name: 'platen release', version: release.version }] },
      component: subject,
    },
    components: sorted,
    dependencies: [
      { ref: subject['bom-ref'], dependsOn: [...direct].sort() },
      ...sorted.map((one) => ({ ref: one['bom-ref'], dependsOn: [...(edges.get(one['bom-ref']) ?? [])].sort() })),
    ],
  }
}

function refOf(snapshot: Snapshot): string {
  const { name, version } = splitSnapshot(snapshot)
  return purlOf(name, version)
}

/** A UUID of version 8 (RFC 9562), made of a hash. */
function uuidOf(text: string): string {
  const hex = sha256(text)
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
