import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { runGo } from '../go-tools.ts'
import { type Definitions, type JsonSchema, schemaOfKind, strictSchema } from './openapi.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache/kubernetes-schemas')

/** The oldest version that the chart allows (Chart.yaml), and the one that its manifests are rendered for. */
export const kubernetesVersions = ['1.27.16', '1.31.4'] as const
export type KubernetesVersion = (typeof kubernetesVersions)[number]

const operators = [
  {
    module: 'github.com/kedacore/keda/v2@v2.16.1',
    path: 'config/crd/bases/keda.sh_scaledobjects.yaml',
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.79.2',
    path: 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  },
] as const

/**
 * A folder with the JSON Schemas of Kubernetes, of KEDA and of the Prometheus operator, as kubeconform names them
 * (`-schema-location <folder>/{{.ResourceKind}}{{.KindSuffix}}.json`). They are made of the OpenAPI document and the CRDs in the Go modules of
 * these programs, and know no other fields. An Error says why they cannot be had.
 */
export function kubernetesSchemas(version: KubernetesVersion): string | Error {
  const folder = join(cache, version)
  if (existsSync(folder)) return folder
  const kubernetes = moduleFolder(`k8s.io/kubernetes@v${version}`)
  if (kubernetes instanceof Error) return kubernetes
  const { definitions } = JSON.parse(readFileSync(join(kubernetes, 'api/openapi-spec/swagger.json'), 'utf8')) as {
    definitions: Definitions
  }
  const schemas = new Map<string, JsonSchema>()
  for (const [name, definition] of Object.entries(definitions)) {
    for (const kind of definition['x-kubernetes-group-version-kind'] ?? []) {
      schemas.set(fileName(kind), schemaOfKind(name, definitions))
    }
  }
  for (const { module, path } of operators) {
    const sources = moduleFolder(module)
    if (sources instanceof Error) return sources
    const { spec } = parse(readFileSync(join(sources, path), 'utf8')) as CustomResource
    for (const { name, schema } of spec.versions) {
      const kind = { group: spec.group, version: name, kind: spec.names.kind }
      schemas.set(fileName(kind), strictSchema(schema.openAPIV3Schema))
    }
  }
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const [name, schema] of schemas) writeFileSync(join(unfinished, name), JSON.stringify(schema))
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  return folder
}

interface CustomResource {
  spec: {
    group: string
    names: { kind: string }
    versions: { name: string; schema: { openAPIV3Schema: JsonSchema } }[]
  }
}

/** `deployment-apps-v1.json`, `service-v1.json`: of the group the part before the first dot. */
function fileName({ group, version, kind }: { group: string; version: string; kind: string }): string {
  const [first = ''] = group.split('.')
  return `${[kind, ...(first === '' ? [] : [first]), version].join('-').toLowerCase()}.json`
}

function moduleFolder(module: string): string | Error {
  const printed = runGo(['mod', 'download', '-json', module])
  if (printed instanceof Error) return new Error(`${module} cannot be downloaded: ${printed.message}`)
  return (JSON.parse(printed) as { Dir: string }).Dir
}
