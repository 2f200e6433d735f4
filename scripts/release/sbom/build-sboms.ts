import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readInstalled } from '../../dependencies/licences.ts'
import { readLockfile, splitSnapshot } from '../../dependencies/lockfile.ts'
import { committedFile, root } from '../commit.ts'
import { baseImages, debianPackages, images } from '../images.ts'
import { npmFolders } from '../packages.ts'
import type { Release } from '../release.ts'
import { type Facts, writeBom } from './bom.ts'
import { closureOf } from './closure.ts'
import { debianComponent, imageComponent, npmComponent } from './component.ts'

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
