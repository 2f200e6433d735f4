import { consumers, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import t from 'tap'
import { readCompose, readText } from '../testing/compose-file.ts'
import { charts, find, type PodSpec } from '../testing/kubernetes-files.ts'
import {
  checkStoreUrls,
  problemsWith,
  type Service,
  services,
  settingsOf,
  speaksHttp,
} from '../testing/service-settings.ts'

// What Helm makes of the chart, which is committed. deploy/helm/chart.test.ts compares it with the chart.

const { plain, everything } = charts
const secretKeys = ['API_KEY', 'SIGNING_SECRET', 'NATS_PASSWORD', 'OBJECT_STORE_ACCESS_KEY', 'OBJECT_STORE_SECRET_KEY']
const fakeSecret = 's'.repeat(40)

function podOf(service: Service, objects = plain) {
  const pod = find(objects, 'Deployment', `platen-${service}`).spec?.template?.spec
  if (!pod) throw new Error(`no pod in ${service}`)
  return pod
}

/** The environment as the kubelet sets it. */
function environmentOf(service: Service, objects = plain): Record<string, string> {
  const [container] = podOf(service, objects).containers
  const own = container.env.map(({ name, value, valueFrom }) => {
    if (valueFrom) {
      t.ok(secretKeys.includes(valueFrom.secretKeyRef.key), `${valueFrom.secretKeyRef.key} is in the Secret`)
      t.equal(valueFrom.secretKeyRef.name, 'platen')
    }
    return [name, value ?? fakeSecret]
  })
  return { ...find(objects, 'ConfigMap', 'platen').data, ...Object.fromEntries(own) }
}

t.test('the manifests contain no secret', async (t) => {
  t.same(
    everything.filter(({ kind }) => kind === 'Secret'),
    [],
  )
  for (const service of services) {
    for (const { name, value } of podOf(service).containers[0].env) {
      if (/SECRET|PASSWORD|TOKEN|_KEY$/.test(name)) t.equal(value, undefined, `${service} ${name}`)
    }
  }
  t.notMatch(Object.keys(find(everything, 'ConfigMap', 'platen').data ?? {}).join(), /SECRET|PASSWORD|TOKEN|_KEY/)
})

t.test('each service accepts its environment and reads all of it', async (t) => {
  for (const objects of [plain, everything]) {
    for (const service of services) {
      t.same(problemsWith(service, environmentOf(service, objects)), [], service)
      t.doesNotThrow(() => checkStoreUrls(environmentOf(service, objects)))
      const known = settingsOf(service)
      const own = podOf(service, objects).containers[0].env.map(({ name }) => name)
      t.same(
        own.filter((name) => !known.has(name)),
        [],
        service,
      )
    }
  }
  const anybody = new Set(services.flatMap((service) => [...settingsOf(service)]))
  const shared = Object.keys(find(plain, 'ConfigMap', 'platen').data ?? {})
  t.same(
    shared.filter((name) => !anybody.has(name)),
    [],
  )
})

t.test('settings of a value go to all services, and those of a service before what the chart sets', async (t) => {
  t.equal(find(everything, 'ConfigMap', 'platen').data?.LOG_LEVEL, 'debug')
  t.equal(environmentOf('notifier', everything).LOG_LEVEL, 'warn', 'extraEnv goes before')
  t.equal(environmentOf('renderer', everything).RENDER_EGRESS, 'none')
  t.equal(environmentOf('renderer').RENDER_EGRESS, 'public')
  const checksum = (objects = plain) =>
    find(objects, 'Deployment', 'platen-gateway').spec?.template?.metadata.annotations['checksum/config']
  t.not(checksum(), checksum(everything), 'other settings start new pods')
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
    t.ok(find(plain, 'PodDisruptionBudget', `platen-${service}`))
  }
  t.equal(podOf('renderer').securityContext.seccompProfile.localhostProfile, 'platen/chromium-seccomp.json')
})

t.test(
  'a selector, a budget and the spread of a service have the labels of its pods, and of no other service',
  async (t) => {
    for (const service of services) {
      const { selector, template } = find(plain, 'Deployment', `platen-${service}`).spec ?? {}
      const labels = selector?.matchLabels ?? {}
      t.match(labels, { 'app.kubernetes.io/component': service, 'app.kubernetes.io/instance': 'platen' })
      t.match(template?.metadata.labels, labels)
      t.same(find(plain, 'PodDisruptionBudget', `platen-${service}`).spec?.selector?.matchLabels, labels)
      const spread = template?.spec.topologySpreadConstraints ?? []
      t.same(
        spread.map(({ topologyKey }) => topologyKey),
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
      )
      for (const { labelSelector } of spread) t.same(labelSelector.matchLabels, labels)
    }
    t.same(
      find(plain, 'Service', 'platen-gateway').spec?.selector,
      find(plain, 'Deployment', 'platen-gateway').spec?.selector?.matchLabels,
    )
  },
)

t.test(
  'the pod of the command line has the settings and the rights of a service, and reaches the backing services',
  async (t) => {
    const { metadata, spec } = find(everything, 'Pod', 'platen-cli')
    const { containers, securityContext } = spec as unknown as PodSpec
    t.same(containers[0].envFrom, [{ configMapRef: { name: 'platen' } }, { secretRef: { name: 'platen' } }])
    t.same(containers[0].securityContext, podOf('template').containers[0].securityContext)
    t.match(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const policy = find(everything, 'NetworkPolicy', 'platen-backing-services').spec?.podSelector
    t.match(metadata.labels, policy?.matchLabels)
  },
)

t.test('all pods have the volumes that are given', async (t) => {
  for (const service of services) {
    const { containers, volumes } = podOf(service, everything)
    t.match(volumes.at(-1), { name: 'ca', secret: { secretName: 'ca' } })
    t.match(containers[0].volumeMounts.at(-1), { name: 'ca', mountPath: '/etc/platen' })
  }
})

t.test('an image has the version of the chart, or the digest that is given', async (t) => {
  t.match(podOf('renderer').containers[0].image, /^registry\.example\.com\/platen-renderer:\d/)
  t.match(podOf('renderer', everything).containers[0].image, /^registry\.example\.com\/platen-renderer@sha256:0123/)
})

t.test('renderers have as much memory as in docker-compose.yml', async (t) => {
  const { limits } = readCompose().services.renderer?.deploy.resources ?? {}
  t.match(podOf('renderer').containers[0].resources.limits.memory, /^\dGi$/)
  t.equal(podOf('renderer').containers[0].resources.limits.memory, `${limits?.memory.toUpperCase()}i`)
})

t.test('the grace period is longer than a process takes to end, and than a document may take', async (t) => {
  const [, limit = ''] = /shutdownLimitMs = ([\d_]+)/.exec(readText('shared/service-kit/src/host/run-process.ts')) ?? []
  const limitS = Number(limit.replace('_', '')) / 1_000
  t.ok(limitS > 0)
  for (const service of services) t.ok(podOf(service).terminationGracePeriodSeconds >= limitS + 10, service)
  t.ok(
    podOf('renderer').terminationGracePeriodSeconds > Number(environmentOf('renderer').RENDER_TIMEOUT_MS) / 1_000 + 10,
  )
  t.ok(podOf('gateway').terminationGracePeriodSeconds > 5 + limitS)
})

t.test(
  'without KEDA there are two renderers; with it, it chooses their number by the depth of the queues and by age',
  async (t) => {
    t.equal(find(plain, 'Deployment', 'platen-renderer').spec?.replicas, 2)
    t.same(
      plain.filter(({ kind }) => kind === 'ScaledObject'),
      [],
    )
    const { scaleTargetRef, triggers = [] } = find(everything, 'ScaledObject', 'platen-renderer').spec ?? {}
    t.equal(scaleTargetRef?.name, 'platen-renderer')
    t.equal(
      find(everything, 'Deployment', 'platen-renderer').spec?.replicas,
      undefined,
      'an upgrade would undo the scaling',
    )
    const [depth, age] = ['nats-jetstream', 'prometheus'].map((type) => triggers.filter((one) => one.type === type))
    for (const { metadata } of depth ?? []) t.equal(metadata.stream, streams.commands)
    t.same(
      depth?.map(({ metadata }) => metadata.consumer).sort(),
      renderQueues.map((queue) => consumers[queue].durable).sort(),
    )
    const [, metric = ''] = /^max\((\w+)\)$/.exec(age?.[0]?.metadata.query ?? '') ?? []
    t.match(readText('docs/reference/metrics.md'), `\`${metric}\``)
    t.match(age, [{ metricType: 'Value', metadata: { threshold: '60' } }])
  },
)

t.test('the Ingress waits longer than any answer takes, and lets the largest request pass', async (t) => {
  const { annotations = {} } = find(everything, 'Ingress', 'platen-gateway').metadata
  const of = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`]
  const { paths } = JSON.parse(readText('docs/openapi.json'))
  const wait = paths['/v1/generations/{id}'].get.parameters.find(({ name }: { name: string }) => name === 'wait')
  t.equal(wait.schema.maximum, 60)
  t.ok(Number(of('proxy-read-timeout')) > wait.schema.maximum)
  t.match([of('proxy-body-size'), of('proxy-request-buffering')], ['1g', 'off'])
})

t.test('only the renderer and the notifier reach the internet, without private address ranges', async (t) => {
  const policies = everything.filter(({ kind }) => kind === 'NetworkPolicy')
  const open = policies.filter(({ spec }) => JSON.stringify(spec).includes('0.0.0.0/0'))
  t.same(open.map(({ metadata }) => metadata.name).sort(), ['platen-notifier-internet', 'platen-renderer-internet'])
  const private4 = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10']
  for (const { spec } of open) {
    for (const range of [...private4, '203.0.113.0/24', '2001:4860::/32']) t.match(JSON.stringify(spec), `"${range}"`)
  }
  const all = { 'app.kubernetes.io/name': 'platen', 'app.kubernetes.io/instance': 'platen' }
  t.same(find(everything, 'NetworkPolicy', 'platen-default-deny').spec, {
    podSelector: { matchLabels: all },
    policyTypes: ['Ingress', 'Egress'],
  })
  t.notMatch(JSON.stringify(policies), '"::/0"')
})
