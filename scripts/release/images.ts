import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { artifactsOf, packCommit, sha256 } from './archives.ts'
import { committedFile } from './commit.ts'
import type { Release } from './release.ts'

/** An image: what it is built with, and whose dependencies are in it. */
export interface Image {
  name: string
  dockerfile: string
  args: Readonly<Record<string, string>>
  /** Folders of the workspace whose dependencies for production it installs. */
  installs: readonly string[]
  /** Folders whose dependencies are bundled into files of the image. */
  bundles: readonly string[]
}

const web = ['studio', 'site']

const ofService = (service: string, bundles: readonly string[]): Image => ({
  name: `platen-${service}`,
  dockerfile: 'deploy/docker/Dockerfile',
  args: { SERVICE: service },
  installs: [`services/${service}`],
  bundles,
})

export const images: readonly Image[] = [
  ofService('gateway', web),
  ofService('template', []),
  ofService('notifier', []),
  {
    name: 'platen-renderer',
    dockerfile: 'deploy/docker/renderer.Dockerfile',
    args: {},
    installs: ['services/renderer'],
    bundles: [],
  },
  {
    name: 'platen',
    dockerfile: 'deploy/docker/all-in-one.Dockerfile',
    args: {},
    installs: ['deploy/single-node', 'cli'],
    bundles: web,
  },
]

/** The sources of the commit, from which the images are built. */
export const sourceArchive = (version: string) => `platen-source-${version}.tar.gz`

export async function buildSource({ out, version }: Release): Promise<void> {
  await packCommit(join(out, sourceArchive(version)), `platen-${version}`)
}

/**
 * Describes the images: Dockerfile and build context with their digests, arguments, and the images that they start from. It builds none.
 * `.github/workflows/release.yaml` reads this file, builds the images and adds their digests to the release.
 */
export async function describeImages({ out, version, commit }: Release): Promise<void> {
  const context = (await artifactsOf(out)).find(({ path }) => path === sourceArchive(version))
  if (!context) throw new Error('the images are built from the source: add it to --only')
  const described = images.map(async ({ name, dockerfile, args }) => {
    const text = (await committedFile(dockerfile)).toString()
    return { name, dockerfile, sha256: sha256(text), args, from: baseImages(text), debian: debianPackages(text) }
  })
  const list = { version, commit: commit.id, epoch: commit.epoch, context, images: await Promise.all(described) }
  await writeFile(join(out, `platen-images-${version}.json`), `${JSON.stringify(list, undefined, 2)}\n`)
}

/** The images that the stages of a Dockerfile start from, with the defaults of its arguments. */
export function baseImages(dockerfile: string): string[] {
  const defaults = new Map(
    [...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  )
  const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) =>
    image.replace(/\$\{(\w+)\}/g, (_, name: string) => defaults.get(name) ?? ''),
  )
  return [...new Set(stages)]
}

/** The packages of Debian that a Dockerfile installs. Their versions are those of the day of the build. */
export function debianPackages(dockerfile: string): string[] {
  const joined = dockerfile.replaceAll('\\\n', ' ')
  const [, names = ''] = /apt-get install ([^&\n]+)/.exec(joined) ?? []
  return names.split(/\s+/).filter((name) => /^[a-z]/.test(name))
}
