import { consumers, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import t from 'tap'
import { readCompose, readText } from '../testing/compose-file.ts'
import { charts, find } from '../testing/kubernetes-files.ts'
import {
  checkStoreUrls,
  leastGraceS,
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

/** The pods of an object, with all parts of the chart. */
function templateOf(kind: string, name: string) {
  const template = find(everything, kind, name).spec?.template
  if (!template) throw new Error(`no pod in ${name}`)
  return template
}

/** The environment as the kubelet sets it. */
function environmentOf(service: Service, objects = plain): Record<string, string> {
  const [container] = podOf(service, objects).containers
  const secret = service === 'renderer' && objects === everything ? 'platen-renderer' : 'platen'
  const own = container.env.map(({ name, value, valueFrom }) => {
    if (valueFrom) {
      t.ok(secretKeys.includes(valueFrom.secretKeyRef.key), `${valueFrom.secretKeyRef.key} is in the Secret`)
      t.equal(valueFrom.secretKeyRef.name, secret)
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
  t.equal(find(everything, 'ConfigMap', 'platen').data?.RENDER_MAX_PDF_BYTES, '104857600', 'a number has no exponent')
  t.equal(environmentOf('notifier', everything).LOG_LEVEL, 'warn', 'extraEnv goes before')
  t.equal(environmentOf('renderer', everything).RENDER_EGRESS, 'none')
  t.equal(environmentOf('renderer').RENDER_EGRESS, 'public')
  const login = { NATS_USER: 'renderer', NATS_MANAGE_STREAMS: 'false' }
  t.match(environmentOf('renderer', everything), login, 'a user of its own, which creates no streams')
  t.notMatch(environmentOf('gateway', everything), login)
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
      t.match(find(plain, 'PodDisruptionBudget', `platen-${service}`).spec, {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: labels },
      })
      const spread = template?.spec.topologySpreadConstraints ?? []
      t.same(
        spread.map(({ topologyKey }) => topologyKey),
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
      )
      for (const { labelSelector, matchLabelKeys } of spread) {
        t.same(labelSelector.matchLabels, labels)
        t.same(matchLabelKeys, ['pod-template-hash'], 'pods of the version before do not count')
      }
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
    // A pod of its own would keep a node from being drained.
    const { metadata, spec } = templateOf('Deployment', 'platen-cli')
    const { containers, securityContext } = spec
    t.same(containers[0].envFrom, [{ configMapRef: { name: 'platen' } }, { secretRef: { name: 'platen' } }])
    t.same(containers[0].securityContext, podOf('template').containers[0].securityContext)
    t.match(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const policy = find(everything, 'NetworkPolicy', 'platen-backing-services').spec?.podSelector
    t.match(metadata.labels, policy?.matchLabels)
  },
)

t.test('a Job sets the streams up before an upgrade, with its own user and what the chart has then', async (t) => {
  const hook = find(everything, 'Job', 'platen-streams-setup').metadata.annotations
  t.match(hook, { 'helm.sh/hook': 'pre-install,pre-upgrade' })
  const { metadata, spec: pod } = templateOf('Job', 'platen-streams-setup')
  const [container] = pod.containers
  t.same(container.command, ['platen', 'streams', 'setup', '--replicas', '3'])
  t.match(readText('deploy/docker/all-in-one.Dockerfile'), 'COPY deploy/docker/all-in-one.sh /usr/local/bin/platen')
  const env = Object.fromEntries(container.env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom]))
  t.match(env, {
    NATS_URL: 'nats://nats.nats.svc.cluster.local:4222',
    NATS_USER: 'operators',
    NATS_PASSWORD: { secretKeyRef: { name: 'platen-operators' } },
  })
  t.equal(Object.keys(env).length, container.env.length, 'no variable is there twice')
  // The ConfigMap and the ServiceAccount do not exist yet at an installation.
  t.notMatch(JSON.stringify(pod), /configMapRef|serviceAccountName/)
  t.match(pod.securityContext, podOf('template').securityContext)
  t.match(metadata.labels, find(everything, 'NetworkPolicy', 'platen-dns').spec?.podSelector?.matchLabels)
})

t.test('clients of Gotenberg reach a port of the gateway by its Service, if it is set', async (t) => {
  const portsOf = (objects = plain) => find(objects, 'Service', 'platen-gateway').spec?.ports
  const http = { name: 'http', port: 80, targetPort: 'http' }
  t.same(portsOf(), [http])
  t.equal(environmentOf('gateway').GOTENBERG_PORT, undefined)
  t.same(portsOf(everything), [http, { name: 'gotenberg', port: 3001, targetPort: 'gotenberg' }])
  const [container] = podOf('gateway', everything).containers
  t.match(container.ports, [{ name: 'http' }, { name: 'gotenberg', containerPort: 3001 }])
  t.equal(environmentOf('gateway', everything).GOTENBERG_PORT, '3001')
  const rules = find(everything, 'NetworkPolicy', 'platen-gateway').spec?.ingress ?? []
  const opened = rules.map(({ from, ports }) => [JSON.stringify(from), ports.map(({ port }) => port)])
  t.match(opened, [
    [/ingress-nginx/, [3000]],
    [/shop/, [3000, 3001]],
  ])
  t.equal(find(plain, 'NetworkPolicy', 'platen-gateway').spec?.ingress?.length, 1)
})

t.test('an upgrade is not given up while a gateway may still read the event log', async (t) => {
  for (const service of services) {
    const { progressDeadlineSeconds = 0 } = find(plain, 'Deployment', `platen-${service}`).spec ?? {}
    const [{ startupProbe }] = podOf(service).containers
    // Besides, its image is pulled.
    t.ok(progressDeadlineSeconds >= startupProbe.periodSeconds * startupProbe.failureThreshold + 600, service)
  }
  const [{ startupProbe }] = podOf('gateway').containers
  // A gateway read 17,230 events a second from an EventStoreDB on a busy machine (docs/understand/what-was-run/eventstoredb.md).
  t.ok(startupProbe.periodSeconds * startupProbe.failureThreshold > (2 * 10_000_000) / 17_230)
})

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

t.test('a pod is killed only after the longest work that its settings allow', async (t) => {
  const preStopS = { gateway: 5, template: 0, renderer: 0, notifier: 0 }
  for (const objects of [plain, everything]) {
    for (const service of services) {
      const leastS = leastGraceS(service, environmentOf(service, objects)) + preStopS[service]
      t.equal(podOf(service, objects).terminationGracePeriodSeconds, leastS, service)
    }
  }
  const graceS = (service: Service, objects = plain) => podOf(service, objects).terminationGracePeriodSeconds
  t.same(
    services.map((service) => graceS(service)),
    [75, 70, 300, 70],
    'as docs/operate/kubernetes.md says',
  )
  // Of the longest times that the settings allow: a document of 90 minutes, a request of five.
  t.same([graceS('renderer', everything), graceS('gateway', everything)], [5_430, 337])
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
  const syncMs = Number(environmentOf('gateway', everything).SYNC_TIMEOUT_MS)
  t.ok(Number(of('proxy-read-timeout')) > Math.max(wait.schema.maximum, syncMs / 1_000))
  t.match([of('proxy-body-size'), of('proxy-request-buffering')], ['1g', 'off'])
})

t.test(
  'only pods that fetch for documents and clients reach the internet, without private address ranges',
  async (t) => {
    const opening = (objects = plain) =>
      objects.filter(({ kind, spec }) => kind === 'NetworkPolicy' && JSON.stringify(spec).includes('0.0.0.0/0'))
    const names = (objects = plain) =>
      opening(objects)
        .map(({ metadata }) => metadata.name)
        .sort()
    t.same(names(), ['platen-notifier-internet', 'platen-renderer-internet'])
    // The gateway fetches what clients of Gotenberg name in downloadFrom. With RENDER_EGRESS=none renderers reach nothing outside.
    t.same(names(everything), ['platen-gateway-internet', 'platen-notifier-internet'])
    const [rule] = find(plain, 'NetworkPolicy', 'platen-renderer-internet').spec?.egress ?? []
    const allowed = rule?.ports?.map(({ port }) => port)
    const proxy = readText('services/renderer/src/egress/checked-target.ts')
    const ofProxy = [...proxy.matchAll(/Ports: readonly number\[\] = \[([\d, ]+)\]/g)].flatMap(([, list = '']) =>
      list.split(', '),
    )
    t.same(
      allowed,
      ofProxy.map(Number).sort((a, b) => a - b),
      'the ports that the proxy allows',
    )
    const policies = everything.filter(({ kind }) => kind === 'NetworkPolicy')
    const open = opening(everything)
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
  },
)

t.test('rules of a service open nothing for the others', async (t) => {
  const extra = (objects = plain) => objects.filter(({ metadata }) => metadata.name.endsWith('-extra'))
  t.same(extra(), [])
  t.same(
    extra(everything).map(({ metadata }) => metadata.name),
    ['platen-gateway-extra', 'platen-notifier-extra'],
  )
  const { podSelector, egress } = find(everything, 'NetworkPolicy', 'platen-notifier-extra').spec ?? {}
  t.match(podSelector?.matchLabels, { 'app.kubernetes.io/component': 'notifier' })
  t.match(JSON.stringify(egress), '"shop"')
})

t.test('a Prometheus finds the monitor by the labels that are given, and the pods by those of the chart', async (t) => {
  const { labels } = find(everything, 'ServiceMonitor', 'platen').metadata
  t.match(labels, { release: 'kube-prometheus-stack', 'app.kubernetes.io/component': 'metrics' })
})
