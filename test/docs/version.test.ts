import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { npmFolders } from '../../scripts/release/packages.ts'
import { versionPlaces, withVersion } from '../../scripts/release/write-version.ts'
import { root } from './code-blocks.ts'

// The version of Platen is in package.json of the root. The gateway and the notifier read it there; `npm run generate` writes it
// to docs/asyncapi.yaml and to the places of scripts/release/write-version.ts.

const { version, devDependencies } = manifest
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const wrong = (path: string) => `${path} has another version than package.json: npm run generate`

const listed = execFileSync('git', ['ls-files', '*package.json'], { cwd: root, encoding: 'utf8' })
const manifests = listed
  .split('\n')
  .filter((path) => path !== '' && path !== 'package.json')
  .map((path): { path: string; version?: string; private?: boolean } => ({ path, ...JSON.parse(read(path)) }))

t.test('published packages have the version of package.json, and private ones none of their own', async (t) => {
  for (const each of manifests) {
    const allowed = each.private ? [undefined, version] : [version]
    t.ok(allowed.includes(each.version), wrong(each.path))
  }
})

t.test('the packages of clients/ are published, and no others', async (t) => {
  const published = manifests.filter((each) => !each.private).map(({ path }) => dirname(path))
  t.strictSame(published, npmFolders.toSorted())
  const clients = manifests.map(({ path }) => dirname(path)).filter((folder) => dirname(folder) === 'clients')
  t.strictSame(clients, published)
})

t.test('the packages of the examples are those of the tests', async (t) => {
  const { dependencies } = JSON.parse(read('examples/packages/package.json'))
  for (const [name, wanted] of Object.entries(dependencies))
    t.equal(new Map(Object.entries(devDependencies)).get(name), wanted, name)
  const { packages } = JSON.parse(read('examples/packages/package-lock.json'))
  t.same(packages[''].dependencies, dependencies)
  for (const [path, { integrity }] of Object.entries<{ integrity?: string }>(packages))
    if (path !== '') t.match(integrity, /^sha512-/, path)
})

t.test('so have the chart, and the images of deploy/kubernetes', async (t) => {
  const chart = 'deploy/helm/platen/Chart.yaml'
  t.ok(read(chart).includes(`\nversion: ${version}\nappVersion: "${version}"\n`), wrong(chart))
  const path = 'deploy/kubernetes/platen.yaml'
  const tags = [...read(path).matchAll(/image: \S+:([\w.-]+)/g)].map(([, tag]) => tag)
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

t.test('npm run generate writes another version to all of them', async (t) => {
  const paths = versionPlaces.map(({ path }) => path)
  const packages = ['clients/typescript', 'clients/events', 'clients/mcp'].map((folder) => `${folder}/package.json`)
  const rendered = ['deploy/kubernetes/platen.yaml', 'deploy/helm/everything.rendered.yaml']
  const others = ['clients/python/pyproject.toml', 'clients/go/version.go', 'deploy/helm/platen/Chart.yaml']
  t.strictSame(paths, [...packages, ...others, ...rendered])
  for (const place of versionPlaces) {
    t.equal(await withVersion(place, version), read(place.path), wrong(place.path))
    const next = await withVersion(place, '12.0.0-rc.1')
    t.equal(next.replaceAll('12.0.0-rc.1', version), read(place.path), `${place.path}: only the version is changed`)
    t.notOk(next.includes(`"${version}"`), `${place.path}: no old one is left`)
  }
})
