import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeSums } from './archives.ts'
import { images } from './images.ts'
import { problemsOfRelease } from './verify.ts'

const version = '1.2.3'
const wheel = `platen-${version}-py3-none-any.whl`

const release = {
  'CHANGES.md': '',
  'provenance.intoto.json': '',
  'chromium-seccomp.json': '',
  [`platen-source-${version}.tar.gz`]: '',
  [`platen-docs-${version}.tar.gz`]: '',
  [`platen-images-${version}.json`]: '',
  [`platen-${version}.tgz`]: '',
  [`platen-kubernetes-${version}.yaml`]: '',
  [`platen-events-${version}.tgz`]: '',
  [`platen-client-${version}.tgz`]: '',
  [`platen-mcp-${version}.tgz`]: '',
  [wheel]: '',
  go: { 'example.com': { '@v': { [`v${version}.zip`]: '' } } },
  sbom: Object.fromEntries(
    [...['events', 'client', 'mcp'].map((name) => `npm-${name}`), ...images.map(({ name }) => `image-${name}`)].map(
      (name) => [`${name}.cdx.json`, ''],
    ),
  ),
}
const digests = images.map(({ name }) => `ghcr.io/owner/${name}:${version}@sha256:${'0'.repeat(64)}`)

t.test('a whole release has no problem; what is missing, changed or not pushed is named', async (t) => {
  const folder = t.testdir({ release, 'image-digests.txt': `${digests.join('\n')}\n` })
  const [out, digestsFile] = [join(folder, 'release'), join(folder, 'image-digests.txt')]
  await writeSums(out)
  t.same(await problemsOfRelease(out, version, digestsFile), [])

  // An image that was built and not pushed has no digest.
  await writeFile(digestsFile, digests.join('\n').replace(/@sha256:0+/, '@null'))
  t.same(await problemsOfRelease(out, version, digestsFile), [`image-digests.txt has no digest of ${images[0]?.name}`])
  t.equal((await problemsOfRelease(out, version, join(folder, 'no-file'))).length, images.length)

  await writeFile(digestsFile, digests.join('\n'))
  await writeFile(join(out, 'CHANGES.md'), 'changed')
  await rm(join(out, wheel))
  t.same(await problemsOfRelease(out, version, digestsFile), [
    `${wheel} is missing`,
    `a file *-${version}-py3-none-any.whl is missing`,
    'CHANGES.md is not in SHA256SUMS with its hash',
  ])
  t.match(await problemsOfRelease(out, '1.2.4', digestsFile), [/^platen-source-1\.2\.4\.tar\.gz is missing$/])
})
