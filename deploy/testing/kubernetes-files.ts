import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { readText, root } from './compose-file.ts'

const folder = 'deploy/kubernetes'

export interface Probe {
  httpGet: { path: string; port: string }
}

export interface Container {
  image: string
  envFrom: { configMapRef: { name: string } }[]
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  securityContext: object
  volumeMounts: { name: string; mountPath: string }[]
}

export interface KubernetesObject {
  kind: string
  metadata: {
    name: string
    namespace?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: {
    replicas?: number
    selector?: object
    podSelector?: object
    scaleTargetRef?: { name: string }
    triggers?: { type: string; metadata: Record<string, string> }[]
    template?: {
      spec: {
        terminationGracePeriodSeconds: number
        securityContext: { runAsNonRoot: boolean; seccompProfile: { type: string; localhostProfile?: string } }
        containers: [Container]
        volumes: { name: string }[]
      }
    }
  }
}

export const manifestNames = () => readdirSync(join(root, folder)).filter((name) => name.endsWith('.yaml'))

/** Throws if the file is not valid YAML. */
export function readManifest(name: string): KubernetesObject[] {
  return parseAllDocuments(readText(join(folder, name))).map((document) => {
    const [error] = document.errors
    if (error) throw new Error(`${name}: ${error.message}`)
    return document.toJS() as KubernetesObject
  })
}

/** The objects that `kubectl apply -k` applies. */
export function readApplied(): KubernetesObject[] {
  const [kustomization] = readManifest('kustomization.yaml') as unknown as [{ resources: string[] }]
  return kustomization.resources.flatMap(readManifest)
}
