import { consumers, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import t from 'tap'
import { readCompose, readText } from '../testing/compose-file.ts'
import { type KubernetesObject, manifestNames, readApplied, readManifest } from '../testing/kubernetes-files.ts'
import {
  checkStoreUrls,
  problemsWith,
  type Service,
  services,
  settingsOf,
  speaksHttp,
} from '../testing/service-settings.ts'

const applied = readApplied()
const secretKeys = Object.keys(readManifest('secret.example.yaml')[0]?.stringData ?? {})
const fakeSecret = 's'.repeat(40)

function object(kind: string, name: string): KubernetesObject {
  const found = applied.find((one) => one.kind === kind && one.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name}`)
  return found
}

function podOf(service: Service) {
  const pod = object('Deployment', service).spec?.template?.spec
  if (!pod) throw new Error(`no pod in ${service}`)
  return pod
}

/** The environment as the kubelet sets it, with a Secret that has the keys of the example. */
function environmentOf(service: Service): Record<string, string> {
  const [container] = podOf(service).containers
  const own = container.env.map(({ name, value, valueFrom }) => {
    if (valueFrom)
      t.ok(secretKeys.includes(valueFrom.secretKeyRef.key), `${valueFrom.secretKeyRef.key} is in the Secret`)
    return [name, value ?? fakeSecret]
  })
  return { ...object('ConfigMap', 'platen').data, ...Object.fromEntries(own) }
}

t.test('every file is YAML, and all but the examples are applied', async (t) => {
  const { resources } = readManifest('kustomization.yaml')[0] as unknown as { resources: string[] }
  const rest = manifestNames().filter((name) => name !== 'kustomization.yaml' && !resources.includes(name))
  t.same(rest, ['cli.example.yaml', 'ingress.example.yaml', 'secret.example.yaml'])
  for (const name of rest) t.ok(readManifest(name).length > 0)
})

t.test('the files contain no secret', async (t) => {
  t.same(
    applied.filter(({ kind }) => kind === 'Secret'),
    [],
  )
  for (const value of Object.values(readManifest('secret.example.yaml')[0]?.stringData ?? {})) t.equal(value, '')
  for (const service of services) {
    for (const { name, value } of podOf(service).containers[0].env) {
      if (/SECRET|PASSWORD|TOKEN|_KEY$/.test(name)) t.equal(value, undefined, `${service} ${name}`)
    }
  }
  t.notMatch(Object.keys(object('ConfigMap', 'platen').data ?? {}).join(), /SECRET|PASSWORD|TOKEN|_KEY/)
})

t.test('each service accepts its environment and reads all of it', async (t) => {
  for (const service of services) {
    t.same(problemsWith(service, environmentOf(service)), [], service)
    t.doesNotThrow(() => checkStoreUrls(environmentOf(service)))
    const known = settingsOf(service)
    const own = podOf(service).containers[0].env.map(({ name }) => name)
    t.same(
      own.filter((name) => !known.has(name)),
      [],
      service,
    )
  }
  const anybody = new Set(services.flatMap((service) => [...settingsOf(service)]))
  const shared = Object.keys(object('ConfigMap', 'platen').data ?? {})
  t.same(
    shared.filter((name) => !anybody.has(name)),
    [],
  )
})

t.test('probes use existing paths and the port that the service listens on', async (t) => {
  const gatewayRoutes = readText('services/gateway/src/operations/operation-routes.ts')
  const operations = readText('shared/service-kit/src/host/admin-server.ts')
  for (const service of services) {
    const [{ ports, startupProbe, readinessProbe, livenessProbe }] = podOf(service).containers
    const listens = Number(environmentOf(service)[speaksHttp(service) ? 'PORT' : 'ADMIN_PORT'])
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      t.equal(ports.find(({ name }) => name === httpGet.port)?.containerPort, listens, service)
      t.match(speaksHttp(service) ? gatewayRoutes : operations, `'${httpGet.path}'`)
    }
    t.equal(livenessProbe.httpGet.path, '/livez', 'an unavailable backing service must not restart the pod')
  }
})

t.test('no container is root, only mounted volumes are writable, and every pod has limits', async (t) => {
  for (const service of services) {
    const { securityContext, containers, volumes } = podOf(service)
    const [container] = containers
    t.equal(securityContext.runAsNonRoot, true, service)
    t.same(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    t.ok(container.resources.requests.cpu && container.resources.limits.memory)
    t.same(container.volumeMounts.map(({ name }) => name).sort(), volumes.map(({ name }) => name).sort())
    t.ok(object('PodDisruptionBudget', service))
  }
  t.equal(podOf('renderer').securityContext.seccompProfile.localhostProfile, 'platen/chromium-seccomp.json')
})

t.test(
  'the pod of the command line has the settings and the rights of a service, and reaches the backing services',
  async (t) => {
    const [{ metadata, spec } = { metadata: { name: '' } }] = readManifest('cli.example.yaml')
    const { containers, securityContext } = spec as unknown as ReturnType<typeof podOf>
    t.same(containers[0].envFrom, [{ configMapRef: { name: 'platen' } }, { secretRef: { name: 'platen' } }])
    t.same(containers[0].securityContext, podOf('template').containers[0].securityContext)
    t.match(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const policy = object('NetworkPolicy', 'backing-services').spec?.podSelector as { matchLabels: object }
    t.match(metadata.labels, policy.matchLabels)
  },
)

t.test('renderers have as much memory as in docker-compose.yml', async (t) => {
  const { limits } = readCompose().services.renderer?.deploy.resources ?? {}
  t.match(podOf('renderer').containers[0].resources.limits.memory, /^\dGi$/)
  t.equal(podOf('renderer').containers[0].resources.limits.memory, `${limits?.memory.toUpperCase()}i`)
})

t.test('the grace period is long enough to finish work in progress', async (t) => {
  const deadlineS = Number(environmentOf('renderer').RENDER_TIMEOUT_MS) / 1_000
  t.ok(podOf('renderer').terminationGracePeriodSeconds > deadlineS + 10)
  t.ok(podOf('gateway').terminationGracePeriodSeconds > 5 + 37)
})

t.test('the ScaledObject uses the consumers of the renderer', async (t) => {
  const { scaleTargetRef, triggers = [] } = object('ScaledObject', 'renderer').spec ?? {}
  t.equal(scaleTargetRef?.name, 'renderer')
  t.equal(
    object('Deployment', 'renderer').spec?.replicas,
    undefined,
    'replicas is not set, because kubectl apply would undo the scaling',
  )
  for (const { metadata } of triggers) t.equal(metadata.stream, streams.commands)
  t.same(
    triggers.map(({ metadata }) => metadata.consumer).sort(),
    renderQueues.map((queue) => consumers[queue].durable).sort(),
  )
})

t.test('the Ingress waits longer than any answer takes, and lets the largest request pass', async (t) => {
  const { annotations = {} } = readManifest('ingress.example.yaml')[0]?.metadata ?? {}
  const of = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`]
  const { paths } = JSON.parse(readText('docs/openapi.json'))
  const wait = paths['/v1/generations/{id}'].get.parameters.find(({ name }: { name: string }) => name === 'wait')
  t.equal(wait.schema.maximum, 60)
  t.ok(Number(of('proxy-read-timeout')) > wait.schema.maximum)
  t.match([of('proxy-body-size'), of('proxy-request-buffering')], ['1g', 'off'])
})

t.test('only the renderer and the notifier reach the internet, without private address ranges', async (t) => {
  const text = readText('deploy/kubernetes/network-policies.yaml')
  const policies = applied.filter(({ kind }) => kind === 'NetworkPolicy')
  const open = policies.filter(({ spec }) => JSON.stringify(spec).includes('0.0.0.0/0'))
  t.same(open.map(({ metadata }) => metadata.name).sort(), ['notifier-internet', 'renderer-internet'])
  for (const { spec } of open) {
    for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10']) {
      t.match(JSON.stringify(spec), range)
    }
  }
  t.match(policies.find(({ metadata }) => metadata.name === 'default-deny')?.spec, { podSelector: {} })
  t.notMatch(text, /cidr: ::\/0/)
})
