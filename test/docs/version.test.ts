import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './code-blocks.ts'

// The version of Platen is in package.json of the root. The gateway and the notifier read it there; `npm run generate` writes it
// to docs/asyncapi.yaml.

const { version } = manifest
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const wrong = (path: string) => `${path} has another version than package.json: edit ${path} to say ${version}`

t.test('published packages have the version of package.json, and private ones none of their own', async (t) => {
  const listed = execFileSync('git', ['ls-files', '*package.json'], { cwd: root, encoding: 'utf8' })
  const paths = listed.split('\n').filter((path) => path !== '' && path !== 'package.json')
  t.ok(paths.includes('packages/client/package.json'))
  for (const path of paths) {
    const one: { version?: string; private?: boolean } = JSON.parse(read(path))
    const allowed = one.private ? [undefined, version] : [version]
    t.ok(allowed.includes(one.version), wrong(path))
  }
})

t.test('so have the images of deploy/kubernetes', async (t) => {
  const path = 'deploy/kubernetes/kustomization.yaml'
  const tags = [...read(path).matchAll(/newTag: ([\w.-]+)/g)].map(([, tag]) => tag)
  t.strictSame(tags, Array(4).fill(version), wrong(path))
})

t.test('so have the clients in Python and Go', async (t) => {
  for (const [path, pattern] of [
    ['clients/python/pyproject.toml', /^version = "([\w.-]+)"$/m],
    ['clients/go/version.go', /^const Version = "([\w.-]+)"$/m],
  ] as const) {
    t.equal(pattern.exec(read(path))?.[1], version, wrong(path))
  }
})
