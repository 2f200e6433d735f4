import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { linkPackages } from '@platen/test-support/link-packages.ts'
import { findPnpm } from '@platen/test-support/pnpm.ts'
import t, { type Test } from 'tap'
import { readCompose } from '../../deploy/testing/compose-file.ts'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './commit.ts'

t.setTimeout(600_000)

const { version } = manifest
const run = promisify(execFile)
const pnpm = findPnpm()
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
// A release with its provenance is made of a commit, which a working copy with changes is not.
const whole = git('status', '--porcelain') === '' ? ['--dry-run'] : []
// The wheel needs the registry of Python. The site is built by test/docs/site.test.ts.
const parts = [...(pnpm ? ['npm'] : []), 'go', 'source', 'images', 'chart', 'changes', 'sbom']

const buildIn = (source: string, ...args: string[]) =>
  run(process.execPath, [join(source, 'scripts/release/build-release.ts'), ...args], { cwd: tmpdir() })
const build = (...args: string[]) => buildIn(root, ...args)

const refusalOf = (...args: string[]) =>
  build(...args).then(
    () => 'it was built',
    ({ stderr }) => stderr,
  )

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'platen-release-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

t.test('a commit gives the same files twice, and SHA256SUMS has the hash of each', async (t) => {
  const parent = await folder(t)
  const tags = git('tag')
  const [first, second] = [join(parent, 'first'), join(parent, 'second')]
  const args = [...whole, '--only', parts.join(), ...(pnpm ? ['--pnpm', pnpm.join(' ')] : [])]
  const { stdout } = await build(...args, '--out', first)
  await build(...args, '--out', second)
  const sums = await readFile(join(first, 'SHA256SUMS'), 'utf8')
  t.equal(await readFile(join(second, 'SHA256SUMS'), 'utf8'), sums)
  t.match((await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first })).stdout, /: OK\n$/)
  const names = await readdir(first)
  const packages = ['client', 'events', 'mcp'].map((name) => `platen-${name}-${version}.tgz`)
  t.same(
    names.sort(),
    [
      ...[
        'CHANGES.md',
        'SHA256SUMS',
        'chromium-seccomp.json',
        'go',
        `platen-${version}.tgz`,
        'sbom',
        ...(pnpm ? packages : []),
      ],
      ...['images-#.json', 'kubernetes-#.yaml', 'source-#.tar.gz'].map(
        (name) => `platen-${name.replace('#', version)}`,
      ),
      ...(whole.length > 0 ? ['provenance.intoto.json'] : []),
    ].sort(),
  )
  if (whole.length > 0)
    t.match(
      stdout,
      /^Nothing was published\.[\s\S]*^Left out here:\n {2}python: not among --only[\s\S]*^ {2}the images, and/m,
    )
  t.match(
    await refusalOf('--verify', first),
    /no whole release[\s\S]*platen-docs-[\s\S]* has no digest of platen-gateway/,
  )
  t.equal(git('tag'), tags, 'no tag is made')

  const isClean = { skip: whole.length > 0 ? false : 'the working copy has changes' }
  await t.test('a clone in another folder makes the same files', isClean, async (t) => {
    const clone = join(parent, 'a clone')
    git('clone', '--quiet', '.', clone)
    linkPackages(clone)
    // `pnpm pack` would install packages in the clone, where they are those of this folder.
    const others = parts.filter((part) => part !== 'npm')
    await buildIn(clone, '--only', others.join(), '--out', join(parent, 'other'))
    const lines = (await readFile(join(parent, 'other/SHA256SUMS'), 'utf8')).trim().split('\n')
    t.ok(lines.length > 10)
    for (const line of lines) t.ok(sums.includes(`${line}\n`), line)
  })

  await t.test('the source is that of the commit, without times and owners of this machine', async (t) => {
    const archive = join(first, `platen-source-${version}.tar.gz`)
    const { stdout } = await run('tar', ['-tvzf', archive, '--numeric-owner', '--utc'], { maxBuffer: 2 ** 26 })
    const lines = stdout.trim().split('\n')
    const files = lines.filter((line) => line.startsWith('-'))
    t.equal(files.length, git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n').length)
    t.same(
      lines.filter((line) => !/^[d-]rw[x-]r-[x-]r-[x-] 0\/0 /.test(line)),
      [],
    )
    t.equal(new Set(lines.map((line) => line.split(/\s+/).slice(3, 5).join(' '))).size, 1, 'one time')
  })

  await t.test('the chart has its files in a folder of its name, as helm package packs it', async (t) => {
    const { stdout } = await run('tar', ['-tzf', join(first, `platen-${version}.tgz`)])
    const names = stdout.split('\n').filter((name) => /[^/]$/.test(name))
    const files = git('ls-tree', '-r', '--name-only', 'HEAD:deploy/helm/platen').trim().split('\n')
    t.same(names.sort(), files.map((name) => `platen/${name}`).sort())
  })

  await t.test('the list of images has those of Docker Compose, and digests of what they are built from', async (t) => {
    const list = JSON.parse(await readFile(join(first, `platen-images-${version}.json`), 'utf8'))
    t.match(sums, `${list.context.sha256}  ${list.context.path}\n`)
    t.equal(list.commit, git('rev-parse', 'HEAD').trim())
    const built = Object.values(readCompose().services).filter(({ build }) => build)
    t.not(built.length, 0)
    for (const { image, build } of built) {
      const [name] = image.split(':')
      t.match(
        list.images.find((one: { name: string }) => one.name === name),
        { dockerfile: build?.dockerfile, args: build?.args ?? {}, sha256: /^[0-9a-f]{64}$/ },
        name ?? '',
      )
    }
    for (const { from } of list.images) t.match(from, [/^node:\d+\.\d+\.\d+-bookworm-slim$/])
  })
})

t.test('what cannot be released is refused with the reason', async (t) => {
  const out = join(await folder(t), 'out')
  t.match(await refusalOf('--out', out, '--only', 'wheel'), /--only wheel: it is one of npm, python, go/)
  const tagged = await refusalOf('--out', out, '--tag', 'v999.0.0')
  t.match(tagged, `the tag v999.0.0 is not v${version}, the version of package.json`)
  t.match(tagged, /v999\.0\.0 is no tag of the commit [0-9a-f]{40}/)
  t.match(await refusalOf('--out', root, '--only', 'changes'), /has other files: name an empty folder/)
  t.match(await refusalOf('--out', out, '--only', 'images'), /add it to --only/)
})
