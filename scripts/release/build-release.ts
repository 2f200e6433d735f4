import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { packFolder, writeSums } from './archives.ts'
import { buildChanges, problemsOfTag } from './changes.ts'
import { committedFile, committedFiles, isTagOf, quietly, readCommit, root } from './commit.ts'
import { buildSource, describeImages } from './images.ts'
import { buildDocs, buildGo, buildNpm, buildPython } from './packages.ts'
import { writeProvenance } from './provenance.ts'
import type { Release } from './release.ts'
import { buildSboms } from './sbom/build-sboms.ts'
import { problemsOfRelease } from './verify.ts'
import { versionPlaces, withVersion } from './write-version.ts'

const chart = 'deploy/helm/platen'

/**
 * The chart as `helm package` names and packs it (https://helm.sh/docs/topics/charts/), the same as manifests for those who have no Helm,
 * and the seccomp profile of the renderers, which is copied to the nodes.
 */
async function buildChart({ out, version, commit }: Release): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-chart-'))
  try {
    for (const path of await committedFiles(chart)) {
      const file = join(folder, 'platen', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, await committedFile(join(chart, path)))
    }
    await packFolder(folder, join(out, `platen-${version}.tgz`), { epoch: commit.epoch, entries: ['platen'] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(join(out, `platen-kubernetes-${version}.yaml`), await committedFile('deploy/kubernetes/platen.yaml'))
  await writeFile(join(out, 'chromium-seccomp.json'), await committedFile('deploy/docker/chromium-seccomp.json'))
}

// Builds what a release publishes. It publishes nothing and makes no tag: .github/workflows/release.yaml does.

const help = `usage: npm run release -- [--dry-run | --tag <v1.2.3>] [--only <parts>] [--out <folder>] [--python <python3>] [--builder <URI>]
       npm run release -- --record
       npm run release -- --verify <folder> --digests <file>

Writes the files of a release and their SHA256SUMS to out/release, or to the folder. It publishes nothing and makes no tag.

  --dry-run   a release of the commit, with its provenance: refuses changes that are not committed, and says what would be published
  --tag       the same for a tag, which must be of this commit and of the version of package.json, with its section in CHANGELOG.md
  --only      some of npm, python, go, docs, source, images, chart, changes, sbom, separated by commas
  --python    needs venv and pip, and loads hatchling from PyPI
  --builder   who builds, in the provenance
  --record    writes what this version stores and answers to test/upgrades/recorded/, for the tests of later versions
  --verify    whether the folder is a whole release of this version, and the file has the digest of each image

Without --dry-run and --tag, npm and docs are made of the files as they are, and the others of the commit.
The same commit gives the same files, with the same versions of Node, pnpm and hatchling.`

const { version } = manifest

const builders: Readonly<Record<string, (release: Release) => Promise<void>>> = {
  npm: buildNpm,
  python: buildPython,
  go: buildGo,
  docs: buildDocs,
  source: buildSource,
  images: describeImages,
  chart: buildChart,
  changes: buildChanges,
  sbom: buildSboms,
}

const plan = (
  leftOut: readonly string[],
) => `Nothing was published. On the tag v${version}, .github/workflows/release.yaml would:
  build the images of platen-images-${version}.json, push them and the chart, and add their digests
  publish the packages to npm, the wheel to PyPI, and push the tag clients/go/v${version} for the Go module
  sign the provenance of all files, and make a release with CHANGES.md and these files
Left out here:
${[
  ...leftOut.map((name) => `${name}: not among --only`),
  'the images, and image-digests.txt with the digest of each: the workflow builds and pushes them with its Docker engine',
  'the signature of the provenance: the workflow signs',
]
  .map((line) => `  ${line}`)
  .join('\n')}
The workflow publishes nothing if one of them is missing: it runs npm run release -- --verify.`

/** Throws for a folder with files of something else. */
async function empty(out: string): Promise<void> {
  const names: string[] = await readdir(out).catch(() => [])
  if (names.length > 0 && !names.includes('SHA256SUMS')) throw new Error(`${out} has other files: name an empty folder`)
  await rm(out, { recursive: true, force: true })
}

/** Throws if a file has another version than package.json. */
async function checkVersions(): Promise<void> {
  for (const place of versionPlaces) {
    if ((await withVersion(place, version)) === (await readFile(join(root, place.path), 'utf8'))) continue
    throw new Error(
      `${place.path} has another version than package.json: run npm run generate, and commit what it writes`,
    )
  }
}

/** Throws if the commit, or the tag, cannot be released as it is. */
async function checkCommit({ commit }: Release, tag: string | undefined): Promise<void> {
  const problems = tag === undefined ? [] : await problemsOfTag(tag, version)
  if (tag !== undefined && !(await isTagOf(tag, commit))) problems.push(`${tag} is no tag of the commit ${commit.id}`)
  if (commit.changed.length > 0) problems.push(`these changes are not committed:\n${commit.changed.join('\n')}`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** The parts to build, in the order of `builders`. */
function chosen(only: string | undefined): (readonly [string, (release: Release) => Promise<void>])[] {
  const names = only?.split(',') ?? Object.keys(builders)
  const unknown = names.find((name) => !(name in builders))
  if (unknown !== undefined) throw new Error(`--only ${unknown}: it is one of ${Object.keys(builders).join(', ')}`)
  return Object.entries(builders).filter(([name]) => names.includes(name))
}

async function main(): Promise<void> {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const options = { out: text, only: text, python: text, pnpm: text, tag: text, builder: text } as const
  const more = { verify: text, digests: text, record: flag, 'dry-run': flag, help: flag } as const
  const { values } = parseArgs({ options: { ...options, ...more } })
  if (values.help) return console.log(help)
  if (values.record) return record()
  if (values.verify !== undefined) return verify(resolve(root, values.verify), resolve(root, values.digests ?? ''))
  const release: Release = {
    version,
    commit: await readCommit(),
    out: resolve(root, values.out ?? 'out/release'),
    pnpm: values.pnpm ?? 'pnpm',
    python: values.python ?? 'python3',
  }
  const parts = chosen(values.only)
  const isWhole = values['dry-run'] === true || values.tag !== undefined
  await checkVersions()
  if (isWhole) await checkCommit(release, values.tag)
  await empty(release.out)
  await mkdir(release.out, { recursive: true })
  await writeSums(release.out)
  for (const [name, build] of parts) {
    await build(release)
    console.log(`release ${version}: ${name}`)
  }
  if (isWhole) await writeProvenance(release, values.builder ?? 'urn:platen:unsigned-local-build')
  for (const { path, sha256 } of await writeSums(release.out)) console.log(`${sha256}  ${path}`)
  console.log('SHA256SUMS')
  const leftOut = Object.keys(builders).filter((name) => !parts.some(([part]) => part === name))
  if (isWhole) console.log(`\n${plan(leftOut)}`)
}

/** Starts Platen, which the tests of upgrades know how to do. */
async function record(): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/upgrades/record.ts'], quietly)
  process.stdout.write(stdout)
}

async function verify(folder: string, digestsFile: string): Promise<void> {
  const problems = await problemsOfRelease(folder, version, digestsFile)
  if (problems.length > 0) throw new Error(`${folder} is no whole release of ${version}:\n${problems.join('\n')}`)
  console.log(`${folder} is a whole release of ${version}`)
}

try {
  await main()
} catch (err) {
  const { stderr, stdout, message } = err as Error & { stderr?: string; stdout?: string }
  console.error(`release: ${stderr || stdout || message}`)
  process.exitCode = 1
}
