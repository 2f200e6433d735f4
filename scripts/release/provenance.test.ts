import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { sha256 } from './archives.ts'
import { writeProvenance } from './provenance.ts'

t.test('the provenance has the commit, and the hash of each file', async (t) => {
  const out = t.testdir({ 'a.tgz': 'a', sbom: { 'b.json': '{}' } })
  const commit = { id: 'c'.repeat(40), epoch: 1_800_000_000, changed: [] }
  const release = { version: '1.2.3', commit, out, pnpm: 'npx --yes pnpm@12.0.0', python: 'python3' }
  await writeProvenance(release, 'https://example.com/builder')
  const statement = JSON.parse(await readFile(join(out, 'provenance.intoto.json'), 'utf8'))
  t.strictSame(Object.keys(statement), ['_type', 'subject', 'predicateType', 'predicate'])
  t.match(statement, {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'a.tgz', digest: { sha256: sha256('a') } },
      { name: 'sbom/b.json', digest: { sha256: sha256('{}') } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: { buildType: /^https:/, externalParameters: { version: '1.2.3' } },
      runDetails: { builder: { id: 'https://example.com/builder' } },
    },
  })
  const { resolvedDependencies } = statement.predicate.buildDefinition
  t.match(resolvedDependencies[0], { uri: /^git\+https:/, digest: { gitCommit: commit.id } })
  t.match(resolvedDependencies.at(-1), { uri: 'pkg:npm/pnpm@12.0.0' })
})
