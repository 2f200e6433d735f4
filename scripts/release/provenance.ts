import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { artifactsOf, sha256 } from './archives.ts'
import { root } from './commit.ts'
import type { Release } from './release.ts'

const repository = 'https://github.com/platen/platen'

/**
 * Writes what the files were made of, as an in-toto statement (https://in-toto.io/Statement/v1) with the provenance of SLSA
 * (https://slsa.dev/spec/v1.0/provenance). It has no times, so that the same commit gives the same bytes, and no signature:
 * `.github/workflows/release.yaml` signs.
 */
export async function writeProvenance({ out, version, commit, pnpm }: Release, builder: string): Promise<void> {
  const lockfile = await readFile(join(root, 'pnpm-lock.yaml'))
  const [, pnpmVersion = ''] = /pnpm@(\S+)/.exec(pnpm) ?? []
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: (await artifactsOf(out)).map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/tree/main/scripts/release`,
        externalParameters: { version, command: 'npm run release' },
        internalParameters: { SOURCE_DATE_EPOCH: commit.epoch },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: commit.id } },
          { name: 'pnpm-lock.yaml', digest: { sha256: sha256(lockfile) } },
          { uri: `pkg:generic/node@${process.version.slice(1)}` },
          ...(pnpmVersion === '' ? [] : [{ uri: `pkg:npm/pnpm@${pnpmVersion}` }]),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  }
  await writeFile(join(out, 'provenance.intoto.json'), `${JSON.stringify(statement, undefined, 2)}\n`)
}
