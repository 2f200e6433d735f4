import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { listProblems, rowsOf, watchedOf } from './check-dependencies.ts'
import { namesIn } from './manifests.ts'

const rows = rowsOf(`
| package | licence | downloads, maintainer | why it is here |
|---|---|---|---|
| \`a\`, \`@b/c\` | MIT | 1 M, somebody | why |
| \`d\` | ISC | 2 k, somebody (watched) | why |
| Programs | MIT | Debian | are no packages |
`)
const watched = watchedOf('# Policy\n\n| `a` | x |\n\n## Watched\n\n| package | way out |\n|---|---|\n| `d` | fork |\n')
const installed = [
  { name: 'a', version: '1.0.0', licence: 'MIT' },
  { name: 'd', version: '1.0.0', licence: 'BSD-3-Clause' },
  { name: 'd', version: '2.0.0', licence: 'ISC' },
]
const used = ['a', '@b/c', 'd'].map((name) => ({ name, file: 'cli/package.json' }))
const lists = { rows, watched, installed }

t.test('this repository has a row for each dependency, with its licence', async (t) => {
  const check = spawnSync(process.execPath, [join(import.meta.dirname, 'check-dependencies.ts')], { encoding: 'utf8' })
  t.match(check, { status: 0, stderr: '' })
})

t.test('a list that agrees with the manifests and the licences has no problem', async (t) => {
  t.same(listProblems(used, lists), [])
})

t.test('a new dependency, a removed one, another licence and a forgotten watch are named', async (t) => {
  t.same(listProblems([...used, { name: 'new', file: 'site/package.json' }], lists), [
    'site/package.json: add a row for new to docs/reference/dependencies.md: its licence, and why it is here',
  ])
  t.same(listProblems(used.slice(1), lists), ['docs/reference/dependencies.md: remove a, which no file names'])
  const vague = rows.map((row) => (row.name === 'd' ? { ...row, health: 'popular (watched)' } : row))
  t.same(listProblems(used, { ...lists, rows: vague }), [
    'docs/reference/dependencies.md: d needs its downloads and its maintainer, not "popular (watched)"',
  ])
  const other = [{ name: 'a', version: '2.0.0', licence: 'GPL-3.0-only' }]
  t.same(listProblems(used, { ...lists, installed: other }), [
    'docs/reference/dependencies.md: a has another licence than MIT',
  ])
  t.same(listProblems(used, { ...lists, watched: ['a', 'd', 'e'] }), [
    'docs/reference/dependencies.md and docs/understand/dependencies.md: a is watched in one of them only',
    'docs/understand/dependencies.md: remove e, which is not listed',
  ])
})

t.test(
  'the names in package.json, go.mod and pyproject.toml are found, without packages of the workspace',
  async (t) => {
    const manifest = { dependencies: { a: '1.0.0', '@platen/b': 'workspace:*' }, optionalDependencies: { c: '1.0.0' } }
    t.same(namesIn('package.json', JSON.stringify(manifest)), ['a', 'c'])
    const go =
      'module example.com/a\n\ngo 1.26.0\n\nrequire example.com/b v1.0.0\n\nrequire (\n\texample.com/c v1.0.0 // indirect\n\texample.com/d/v2 v2.0.0\n)\n'
    t.same(namesIn('go.mod', go), ['example.com/b', 'example.com/d/v2'])
    const python =
      '[build-system]\nrequires = ["hatchling>=1.25"]\n\n[project]\ndependencies = ["httpx>=0.27,<1", "x-y"]\n'
    t.same(namesIn('clients/python/pyproject.toml', python), ['hatchling', 'httpx', 'x-y'])
  },
)
