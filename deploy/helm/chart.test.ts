import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { parse } from 'yaml'
import { findGoTool } from '../../scripts/go-tools.ts'
import { kubernetesSchemas, kubernetesVersions } from '../../scripts/kubernetes/schemas.ts'
import { chartHash, helmLint, helmTemplate, manifestsOf, rendered } from '../../scripts/write-manifests.ts'
import { readText, root } from '../testing/compose-file.ts'
import { find, readObjects } from '../testing/kubernetes-files.ts'

interface Schema {
  type?: string
  description?: string
  additionalProperties?: unknown
  properties?: Record<string, Schema>
}

const chart = 'deploy/helm/platen'
const values: Record<string, unknown> = parse(readText(`${chart}/values.yaml`))
const schema: Schema = JSON.parse(readText(`${chart}/values.schema.json`))

/** Values as Helm reads them: maps are merged, other values replace those of the chart. */
function merged(below: unknown, above: unknown): unknown {
  const isMap = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap(below) || !isMap(above)) return above
  const changed = Object.entries(above).map(([name, value]) => [name, merged(below[name], value)])
  return { ...below, ...Object.fromEntries(changed) }
}

/** The values in the documentation, each of which somebody copies. */
const documented = globSync('docs/**/*.md', { cwd: root }).flatMap((path) =>
  [...readText(path).matchAll(/^```yaml\n(publicUrl:[\s\S]*?)^```/gm)].map(([, text = '']) => ({
    path,
    // A digest that is left out.
    text: text.replaceAll('sha256:…', `sha256:${'0'.repeat(64)}`),
  })),
)

const helm = findGoTool('helm')
const kubeconform = findGoTool('kubeconform')
const withoutHelm = { skip: helm instanceof Error && helm.message }
const withoutKubeconform = { skip: kubeconform instanceof Error && kubeconform.message }

for (const one of rendered) {
  t.test(`${one.path} is made of the chart as it is`, async (t) => {
    t.match(
      readText(one.path),
      `\n# chart: ${chartHash(one)}\n`,
      'run node scripts/write-manifests.ts, which needs helm',
    )
  })

  t.test(`Helm makes ${one.path}`, withoutHelm, async (t) => {
    t.equal(readText(one.path), manifestsOf(one), 'run node scripts/write-manifests.ts')
  })
}

t.test('helm lint has nothing to say', withoutHelm, async (t) => {
  t.match(helmLint(), '0 chart(s) failed')
  t.match(helmLint(join(root, 'deploy/helm/everything.yaml')), '0 chart(s) failed')
})

t.test('the values of the documentation are accepted', async (t) => {
  t.not(documented.length, 0)
  const validate = new Ajv({ strict: false }).compile(schema)
  for (const { path, text } of documented) {
    t.ok(validate(merged(values, parse(text))), `${path}: ${JSON.stringify(validate.errors)}`)
  }
})

t.test('the grace periods follow the settings, wherever they are set', withoutHelm, async (t) => {
  const folder = t.testdir({
    'longer.yaml': 'renderer: { timeoutMs: 45001 }\nsettings: { SYNC_TIMEOUT_MS: "90000" }\n',
    'own.yaml':
      'renderer: { settings: { RENDER_TIMEOUT_MS: 60000 } }\ngateway: { settings: { SYNC_TIMEOUT_MS: 1000 } }\n',
    'extra.yaml':
      'extraEnv: [{ name: RENDER_TIMEOUT_MS, value: "600000" }, { name: SYNC_TIMEOUT_MS, value: "300000" }]\n',
  })
  for (const [file, renderer, gateway] of [
    ['longer.yaml', 436, 127],
    ['own.yaml', 570, 75],
    ['extra.yaml', 5_430, 337],
  ] as const) {
    const objects = readObjects(helmTemplate('--values', join(folder, file))).filter((one) => one !== null)
    const graceS = (service: string) =>
      find(objects, 'Deployment', `platen-${service}`).spec?.template?.spec.terminationGracePeriodSeconds
    t.same([graceS('renderer'), graceS('gateway')], [renderer, gateway], file)
  }
})

t.test('the port of clients of Gotenberg is open, wherever it is set', withoutHelm, async (t) => {
  const folder = t.testdir({
    'value.yaml': 'gateway: { gotenbergPort: 3001 }\n',
    'own.yaml': 'gateway: { settings: { GOTENBERG_PORT: 3001 } }\n',
    'all.yaml': 'settings: { GOTENBERG_PORT: "3001" }\n',
    'extra.yaml': 'extraEnv: [{ name: GOTENBERG_PORT, value: "3001" }]\ngateway: { gotenbergPort: 3002 }\n',
  })
  for (const file of ['value.yaml', 'own.yaml', 'all.yaml', 'extra.yaml']) {
    const objects = readObjects(helmTemplate('--values', join(folder, file))).filter((one) => one !== null)
    const [, port] = find(objects, 'Service', 'platen-gateway').spec?.ports ?? []
    t.match(port, { name: 'gotenberg', port: 3001 }, file)
    const container = find(objects, 'Deployment', 'platen-gateway').spec?.template?.spec.containers[0]
    t.match(container?.ports[1], { name: 'gotenberg', containerPort: 3001 }, file)
    t.ok(find(objects, 'NetworkPolicy', 'platen-gateway-internet'), file)
  }
})

t.test('a variable of extraEnv replaces the one of the chart, also one from the Secret', withoutHelm, async (t) => {
  const folder = t.testdir({
    'extra.yaml':
      'extraEnv: [{ name: RENDER_SLOTS, value: "4" }, { name: NATS_PASSWORD, value: "" }, { name: PORT, value: "3000" }]\n',
  })
  const objects = readObjects(helmTemplate('--values', join(folder, 'extra.yaml'))).filter((one) => one !== null)
  for (const service of ['gateway', 'template', 'renderer', 'notifier']) {
    const [container] = find(objects, 'Deployment', `platen-${service}`).spec?.template?.spec.containers ?? []
    const names = container?.env.map(({ name }) => name) ?? []
    t.equal(new Set(names).size, names.length, `${service} has no variable twice`)
    t.match(
      container?.env.find(({ name }) => name === 'NATS_PASSWORD'),
      { value: '' },
    )
  }
})

for (const version of kubernetesVersions) {
  t.test(
    `the manifests are valid for Kubernetes ${version}, KEDA and the Prometheus operator`,
    withoutKubeconform,
    async (t) => {
      const schemas = kubernetesSchemas(version)
      if (schemas instanceof Error) return t.pass(`skipped: ${schemas.message}`)
      const check = (path: string) => {
        const args = [
          '-strict',
          '-summary',
          '-schema-location',
          `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`,
          path,
        ]
        return spawnSync(String(kubeconform), args, { encoding: 'utf8' })
      }
      for (const { path } of rendered) {
        const { status, stdout } = check(join(root, path))
        t.equal(status, 0, stdout)
        t.match(stdout, `Valid: ${readObjects(readText(path)).length}, Invalid: 0, Errors: 0, Skipped: 0`)
      }
      for (const [at, { path, text }] of (helm instanceof Error ? [] : documented).entries()) {
        const folder = t.testdir({ [`${at}.yaml`]: text })
        const manifests = join(folder, 'manifests.yaml')
        writeFileSync(manifests, helmTemplate('--values', join(folder, `${at}.yaml`)))
        const { status, stdout } = check(manifests)
        t.equal(status, 0, `${path}: ${stdout}`)
      }
      const everything = readText('deploy/helm/everything.rendered.yaml')
      for (const [right, wrong, kind] of [
        ['pollingInterval:', 'pollInterval:', /ScaledObject.*pollInterval/],
        ['topologyKey:', 'topologyKeys:', /Deployment.*topologyKeys/],
        ['unhealthyPodEvictionPolicy: AlwaysAllow', 'unhealthyPodEvictionPolicy: true', /PodDisruptionBudget.*boolean/],
      ] as const) {
        const folder = t.testdir({ 'wrong.yaml': everything.replaceAll(right, wrong) })
        t.match(check(join(folder, 'wrong.yaml')), { status: 1, stdout: kind })
      }
    },
  )
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
    // A ConfigMap is no place for secrets, and has each name once.
    { settings: { SIGNING_SECRET: 's'.repeat(40) } },
    { settings: { NATS_URL: 'nats://elsewhere:4222' } },
    { gateway: { ...Object(values.gateway), settings: { PORT: 8080 } } },
    { renderer: { ...Object(values.renderer), settings: { NATS_PASSWORD: 'secret' } } },
    { networkPolicy: { forbidden: ['example.com'] } },
    { gateway: { resources: { requests: {}, limits: {} } } },
    // Of the API, and of root.
    ...[3000, 80, 70_000].map((gotenbergPort) => ({ gateway: { ...Object(values.gateway), gotenbergPort } })),
  ])
    t.notOk(validate({ ...values, ...wrong }), JSON.stringify(wrong))
})

t.test('Helm refuses a wrong value by its name', withoutHelm, async (t) => {
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
