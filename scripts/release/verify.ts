import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { artifactsOf } from './archives.ts'
import { images } from './images.ts'

const packages = ['events', 'client', 'mcp']

/** The files of every release of this version, besides the wheel and the Go module. */
const namesOf = (version: string): string[] => [
  ...['CHANGES.md', 'provenance.intoto.json', 'chromium-seccomp.json'],
  ...[`platen-source-${version}.tar.gz`, `platen-docs-${version}.tar.gz`, `platen-images-${version}.json`],
  ...[`platen-${version}.tgz`, `platen-kubernetes-${version}.yaml`],
  ...packages.flatMap((name) => [`platen-${name}-${version}.tgz`, `sbom/npm-${name}.cdx.json`]),
  ...images.map(({ name }) => `sbom/image-${name}.cdx.json`),
]

/**
 * Why a folder is not a whole release of the version: files that are missing, or differ from SHA256SUMS, and images that were not pushed.
 * The file of digests has a line `<registry>/<image>:<version>@sha256:<digest>` for each image.
 */
export async function problemsOfRelease(folder: string, version: string, digestsFile: string): Promise<string[]> {
  const found = await artifactsOf(folder)
  const paths = new Set(found.map(({ path }) => path))
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8').catch(() => '')
  const lines = sums.split('\n').filter((line) => line !== '')
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)] as const))
  const digests = (await readFile(digestsFile, 'utf8').catch(() => '')).split('\n')
  const missing = [...new Set([...namesOf(version), ...listed.keys()])].filter((name) => !paths.has(name))
  const has = (ending: string) => [...paths].some((path) => path.endsWith(ending))
  const isPushed = (name: string) =>
    digests.some((line) => /@sha256:[0-9a-f]{64}$/.test(line) && line.includes(`/${name}:${version}@`))
  return [
    ...missing.map((name) => `${name} is missing`),
    ...[`-${version}-py3-none-any.whl`, `/@v/v${version}.zip`]
      .filter((ending) => !has(ending))
      .map((ending) => `a file *${ending} is missing`),
    ...found
      .filter(({ path, sha256 }) => listed.get(path) !== sha256)
      .map(({ path }) => `${path} is not in SHA256SUMS with its hash`),
    ...images
      .filter(({ name }) => !isPushed(name))
      .map(({ name }) => `${basename(digestsFile)} has no digest of ${name}`),
  ]
}
