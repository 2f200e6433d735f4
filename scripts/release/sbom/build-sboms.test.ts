import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import t from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { readCommit, root } from '../commit.ts'
import { buildSboms } from './build-sboms.ts'
import { closureOf } from './closure.ts'

interface Bom {
  serialNumber: string
  metadata: { component: { name: string; 'bom-ref': string } }
  components: {
    name: string
    group?: string
    version?: string
    'bom-ref': string
    licenses?: object[]
    hashes?: object[]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const { version } = manifest
const out = await mkdtemp(join(tmpdir(), 'platen-sbom-'))
t.teardown(() => rm(out, { recursive: true, force: true }))
await buildSboms({ version, commit: await readCommit(), out, pnpm: 'pnpm', python: 'python3' })
const boms = new Map<string, Bom>()
for (const name of await readdir(join(out, 'sbom'))) {
  boms.set(name, JSON.parse(await readFile(join(out, 'sbom', name), 'utf8')))
}
const bomOf = (name: string) => {
  const found = boms.get(`${name}.cdx.json`)
  if (!found) throw new Error(`no ${name}`)
  return found
}
const namesOf = ({ components }: Bom) => components.map(({ group, name }) => (group ? `${group}/${name}` : name))

/** The schemas of CycloneDX, which its library brings. */
const schemaOf = (name: string) =>
  JSON.parse(
    readFileSync(
      join(root, `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
      'utf8',
    ),
  )

t.test('there is a bill of materials for each image and each package', async (t) => {
  const images = ['platen', 'platen-gateway', 'platen-notifier', 'platen-renderer', 'platen-template']
  const packages = ['client', 'events', 'mcp']
  const names = [...images.map((name) => `image-${name}`), ...packages.map((name) => `npm-${name}`)]
  t.same([...boms.keys()].sort(), names.map((name) => `${name}.cdx.json`).sort())
})

t.test('each is valid by the schema of CycloneDX 1.6, and each reference leads to a component', async (t) => {
  const ajv = new Ajv({ strict: false, formats: { 'idn-email': true, 'iri-reference': true } })
  ajvFormats.default(ajv)
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const validate = ajv.compile(schemaOf('bom-1.6'))
  for (const [name, bom] of boms) {
    t.ok(validate(bom), `${name}: ${ajv.errorsText(validate.errors)}`)
    const refs = [bom.metadata.component['bom-ref'], ...bom.components.map((one) => one['bom-ref'])]
    t.equal(new Set(refs).size, refs.length, `${name}: each reference is used once`)
    t.same(bom.dependencies.map(({ ref }) => ref).sort(), refs.toSorted(), name)
    const missing = bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))
    t.same(missing, [], name)
  }
  t.equal(new Set([...boms.values()].map(({ serialNumber }) => serialNumber)).size, boms.size)
})

t.test('an image has the dependencies of its service and of what that links, and none of tests', async (t) => {
  const gateway = namesOf(bomOf('image-platen-gateway'))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'services/gateway/package.json'), 'utf8'))
  const own = Object.keys(dependencies).filter((name) => !name.startsWith('@platen/'))
  for (const name of own) t.ok(gateway.includes(name), name)
  for (const name of ['pino', 'handlebars', 'preact', 'vue', 'node']) t.ok(gateway.includes(name), name)
  for (const name of ['tap', 'typescript', 'playwright-core', '@platen/domain']) t.notOk(gateway.includes(name), name)
  const renderer = namesOf(bomOf('image-platen-renderer'))
  for (const name of ['playwright-core', 'chromium-headless-shell', 'tini']) t.ok(renderer.includes(name), name)
  t.notOk(renderer.includes('fastify'))
})

t.test('a package has those that its users install', async (t) => {
  t.same(namesOf(bomOf('npm-events')), [])
  t.same(namesOf(bomOf('npm-client')), ['@platen/events', 'openapi-fetch', 'openapi-typescript-helpers'])
  t.ok(namesOf(bomOf('npm-mcp')).includes('@modelcontextprotocol/sdk'))
})

t.test('each package of npm has a version, a licence and the hash of the lockfile', async (t) => {
  for (const [name, { components }] of boms) {
    const ofNpm = components.filter((one) => one['bom-ref'].startsWith('pkg:npm/'))
    const bare = ofNpm.filter(
      ({ version, licenses, hashes, group }) => !version || !licenses || !(hashes || group === '@platen'),
    )
    t.same(bare, [], name)
  }
})

t.test('folders that are linked are followed, packages of their own are not, and peers do not make two', async (t) => {
  const importers = {
    app: { dependencies: { lib: { version: 'link:../lib' }, own: { version: 'link:../own' } } },
    lib: { dependencies: { a: { version: '1.0.0(p@1.0.0)' }, app: { version: 'link:../app' } } },
    own: { dependencies: { b: { version: '1.0.0' }, 'c-1': { version: 'c@1.0.0' } } },
  }
  const snapshots = {
    'a@1.0.0(p@1.0.0)': { dependencies: { b: '1.0.0' }, optionalDependencies: { o: '1.0.0' } },
    'b@1.0.0': { dependencies: { 'c-1': 'c@1.0.0' } },
    'c@1.0.0': { dependencies: { b: '1.0.0' } },
  }
  const { direct, reached } = closureOf(['app'], { importers, snapshots }, new Map([['own', '@x/own@2.0.0']]))
  t.same(direct, ['a@1.0.0(p@1.0.0)', '@x/own@2.0.0'])
  t.same([...reached.keys()].sort(), ['@x/own@2.0.0', 'a@1.0.0(p@1.0.0)', 'b@1.0.0', 'c@1.0.0'])
  t.same(reached.get('@x/own@2.0.0'), ['b@1.0.0', 'c@1.0.0'])
  t.throws(() => closureOf(['none'], { importers, snapshots }, new Map()), /no folder none/)
})
