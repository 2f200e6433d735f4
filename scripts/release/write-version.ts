import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

/** A file with the version of Platen. */
interface VersionPlace {
  path: string
  /** The text in front of the version. */
  before: RegExp
}

const inPackage = (folder: string): VersionPlace => ({ path: `${folder}/package.json`, before: /^ {2}"version": "/m })

/** The version is in package.json of the root, and from there in these. */
export const versionPlaces: readonly VersionPlace[] = [
  inPackage('clients/typescript'),
  inPackage('clients/events'),
  inPackage('clients/mcp'),
  { path: 'clients/python/pyproject.toml', before: /^version = "/m },
  { path: 'clients/go/version.go', before: /^const Version = "/m },
  { path: 'deploy/helm/platen/Chart.yaml', before: /^(?:version: |appVersion: ")/m },
  // The rendered chart: labels, and the tags of images.
  ...['deploy/kubernetes/platen.yaml', 'deploy/helm/everything.rendered.yaml'].map((path) => ({
    path,
    before: /(?:kubernetes\.io\/version: "|helm\.sh\/chart: platen-|image: [\w.-]+\/platen(?:-[a-z]+)?:)/,
  })),
]

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The file with the version in it. Throws if it has none. */
export async function withVersion({ path, before }: VersionPlace, version: string): Promise<string> {
  const text = await readFile(pathOf(path), 'utf8')
  if (!before.test(text)) throw new Error(`${path} has no version`)
  const places = new RegExp(`(${before.source})[\\w.+-]+`, `g${before.flags}`)
  return text.replaceAll(places, (_, start: string) => start + version)
}

if (import.meta.main) {
  for (const place of versionPlaces) await writeFile(pathOf(place.path), await withVersion(place, manifest.version))
}
