import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { parse } from 'yaml'
import { chartHash, helmTemplate, manifestsOf, rendered } from '../../scripts/write-manifests.ts'
import { readText, root } from '../testing/compose-file.ts'

interface Schema {
  type?: string
  description?: string
  additionalProperties?: unknown
  properties?: Record<string, Schema>
}

const chart = 'deploy/helm/platen'
const values: Record<string, unknown> = parse(readText(`${chart}/values.yaml`))
const schema: Schema = JSON.parse(readText(`${chart}/values.schema.json`))
const isMissing = (program: string) => (spawnSync(program, ['version']).error ? `${program} is not installed` : false)

for (const one of rendered) {
  t.test(`${one.path} is made of the chart as it is`, async (t) => {
    t.match(
      readText(one.path),
      `\n# chart: ${chartHash(one)}\n`,
      'run node scripts/write-manifests.ts, which needs helm',
    )
  })

  t.test(`Helm makes ${one.path}`, { skip: isMissing('helm') }, async (t) => {
    t.equal(readText(one.path), manifestsOf(one), 'run node scripts/write-manifests.ts')
  })

  t.test(`${one.path} is valid for Kubernetes`, { skip: isMissing('kubeconform') }, async (t) => {
    const kinds = ['-strict', '-ignore-missing-schemas', '-skip', 'ScaledObject,ServiceMonitor']
    const { status, stdout, stderr } = spawnSync('kubeconform', [...kinds, join(root, one.path)], { encoding: 'utf8' })
    // Its schemas are on a server.
    if (/could not|failed (to|downloading)|no such host|error while downloading/i.test(stdout + stderr))
      return t.pass('skipped: no schemas')
    t.equal(status, 0, stdout)
  })
}

t.test('each value is described by the schema, which knows no other, and has what values.yaml has', async (t) => {
  const compare = (path: string, value: unknown, { description, properties, additionalProperties }: Schema) => {
    if (path !== '') t.ok(description, `${path} has a description`)
    if (!properties || path.endsWith('.resources')) return
    t.equal(additionalProperties, false, `${path || 'the schema'} knows no other value`)
    const optional = ['global', 'localhostProfile']
    t.same(
      Object.keys(value ?? {}).sort(),
      Object.keys(properties)
        .filter((name) => !optional.includes(name) || name in Object(value))
        .sort(),
      path,
    )
    for (const [name, inner] of Object.entries(properties)) {
      if (name !== 'global') compare(path === '' ? name : `${path}.${name}`, Object(value)[name], inner)
    }
  }
  compare('', values, schema)
})

t.test('the schema accepts the values of the chart and of its tests, and refuses wrong ones', async (t) => {
  const validate = new Ajv({ strict: false }).compile(schema)
  t.ok(validate(values), JSON.stringify(validate.errors))
  const more = parse(readText('deploy/helm/everything.yaml'))
  t.ok(validate({ ...values, ...more }), JSON.stringify(validate.errors))
  for (const wrong of [
    { replicas: 3 },
    { publicUrl: 'pdf.example.com' },
    { objectStore: { url: 'https://minio:9000' } },
    { renderer: { egress: 'all' } },
    { renderer: { timeoutMs: 10 } },
    { image: { digests: { renderer: 'latest' } } },
    { settings: { 'log-level': 'info' } },
    { networkPolicy: { forbidden: ['example.com'] } },
    { gateway: { resources: { requests: {}, limits: {} } } },
  ])
    t.notOk(validate({ ...values, ...wrong }), JSON.stringify(wrong))
})

t.test('Helm refuses a wrong value by its name', { skip: isMissing('helm') }, async (t) => {
  t.throws(() => helmTemplate('--set', 'renderer.timeoutMs=10'), { message: /timeoutMs/ })
})

t.test('the limits of settings in the schema are those of the services', async (t) => {
  const { slots, timeoutMs, egress } = (schema.properties?.renderer?.properties ?? {}) as Record<string, object>
  const source = readFileSync(join(root, 'services/renderer/src/config.ts'), 'utf8')
  const limitsOf = (name: string) => {
    const [, declared = ''] = new RegExp(`'${name}', \\{([^}]*)\\}`).exec(source) ?? []
    return ['min', 'max'].map((end) => Number(new RegExp(`${end}: ([\\d_]+)`).exec(declared)?.[1]?.replaceAll('_', '')))
  }
  for (const [value, name] of [
    [slots, 'RENDER_SLOTS'],
    [timeoutMs, 'RENDER_TIMEOUT_MS'],
  ] as const) {
    const { minimum, maximum } = value as { minimum: number; maximum: number }
    t.same([minimum, maximum], limitsOf(name), name)
  }
  const [, allowed = ''] = /'RENDER_EGRESS', \{[^}]*allowed: \[([^\]]*)\]/.exec(source) ?? []
  t.same((egress as { enum: string[] }).enum.sort(), allowed.replaceAll(/['\s]/g, '').split(',').sort())
})
