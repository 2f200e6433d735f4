import { parseAllDocuments } from 'yaml'
import { rendered } from '../../scripts/write-manifests.ts'
import { readText } from './compose-file.ts'

export interface Probe {
  httpGet: { path: string; port: string }
  periodSeconds: number
  failureThreshold: number
}

export interface Container {
  image: string
  command?: string[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  securityContext: object
  volumeMounts: { name: string; mountPath: string }[]
}

export interface PodSpec {
  terminationGracePeriodSeconds: number
  securityContext: { runAsNonRoot: boolean; seccompProfile: { type: string; localhostProfile?: string } }
  topologySpreadConstraints: {
    topologyKey: string
    labelSelector: { matchLabels: Record<string, string> }
    matchLabelKeys: string[]
  }[]
  containers: [Container]
  volumes: { name: string }[]
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
  spec?: {
    replicas?: number
    progressDeadlineSeconds?: number
    ports?: { name: string; port: number; targetPort: string }[]
    ingress?: { from: object[]; ports: { port: number }[] }[]
    egress?: { to: object[]; ports?: { port: number; endPort?: number }[] }[]
    selector?: { matchLabels: Record<string, string> }
    podSelector?: { matchLabels?: Record<string, string> }
    scaleTargetRef?: { name: string }
    triggers?: { type: string; metricType?: string; metadata: Record<string, string> }[]
    template?: { metadata: { labels: Record<string, string>; annotations: Record<string, string> }; spec: PodSpec }
  }
}

/** The objects in a text of YAML. Throws if it is not valid. */
export function readObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors
    if (error) throw error
    return document.toJS() as KubernetesObject
  })
}

const [first, second] = rendered.map(({ path }) => readObjects(readText(path)))

/** The chart with its own values, and with all of its parts. */
export const charts = { plain: first ?? [], everything: second ?? [] } as const

export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name}`)
  return found
}
