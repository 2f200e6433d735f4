import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readInstalled } from '../../dependencies/licences.ts'
import { readLockfile, type Snapshot, splitSnapshot } from '../../dependencies/lockfile.ts'
import { sha256 } from '../archives.ts'
import { committedFile, root } from '../commit.ts'
import { baseImages, debianPackages, images } from '../images.ts'
import { npmFolders } from '../packages.ts'
import type { Release } from '../release.ts'
import { type Closure, closureOf } from './closure.ts'
import { type Component, debianComponent, imageComponent, npmComponent, purlOf } from './component.ts'

/** Writes a bill of materials for each image and each package of npm to `sbom/`. */
export async function buildSboms(release: Release): Promise<void> {
  const { version, out } = release
  const published = new Map<string, string>()
  for (const folder of npmFolders) published.set(folder, `${await nameOf(folder)}@${version}`)
  const lockfile = readLockfile(root)
  const factsOf = readFacts(lockfile, [...published.values()])
  await mkdir(join(out, 'sbom'), { recursive: true })
  const write = async (file: string, contents: Parameters<typeof writeBom>[0]) => {
    const bom = writeBom(contents, factsOf, release)
    await writeFile(join(out, 'sbom', `${file}.cdx.json`), `${JSON.stringify(bom, undefined, 2)}\n`)
  }
  for (const { name, dockerfile, installs, bundles } of images) {
    const text = (await committedFile(dockerfile)).toString()
    await write(`image-${name}`, {
      subject: { type: 'container', 'bom-ref': `image:${name}`, name, version },
      packages: closureOf([...installs, ...bundles], lockfile, published),
      others: [...baseImages(text).map(imageComponent), ...debianPackages(text).map(debianComponent)],
    })
  }
  for (const [folder, snapshot] of published) {
    const subject = npmComponent({ ...splitSnapshot(snapshot), licence: 'MIT' })
    const packages = closureOf([folder], lockfile, published)
    await write(`npm-${subject.name}`, { subject, packages, others: [] })
  }
}

async function nameOf(folder: string): Promise<string> {
  return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')).name
}

/** Licences of the installed packages, and hashes of the lockfile. `own` are packages of this repository. */
function readFacts({ packages }: ReturnType<typeof readLockfile>, own: readonly string[]): Facts {
  const installed = readInstalled(root).map(({ name, version, licence }) => [`${name}@${version}`, licence] as const)
  const licences = new Map([...installed, ...own.map((snapshot) => [snapshot, 'MIT'] as const)])
  return (snapshot) => {
    const { name, version } = splitSnapshot(snapshot)
    const id = `${name}@${version}`
    return { licence: licences.get(id) ?? '', integrity: packages[id]?.resolution.integrity }
  }
}

/** What is known of a package of npm. */
type Facts = (snapshot: Snapshot) => { licence: string; integrity?: string | undefined }

/** What a bill of materials is about, and what it has. */
interface Contents {
  subject: Component
  packages: Closure
  /** Components that are not of npm. */
  others: readonly Component[]
}

/** A bill of materials as JSON of CycloneDX 1.6 (ECMA-424). The same commit gives the same bytes. */
function writeBom(
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
