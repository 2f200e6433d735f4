import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { type ComposeService, interpolate, parseEnvFile, readCompose, readText, root } from './testing/compose-file.ts'
import {
  checkStoreUrls,
  leastGraceS,
  problemsWith,
  type Service,
  services,
  settingsOf,
  speaksHttp,
} from './testing/service-settings.ts'

const run = promisify(execFile)
const compose = readCompose()
const ownServices = services.map((name) => [name, serviceNamed(name)] as const)
const secretNames = /SECRET|PASSWORD|TOKEN|_KEY$/

function serviceNamed(name: string): ComposeService {
  const service = compose.services[name]
  if (!service) throw new Error(`no service ${name} in docker-compose.yml`)
  return service
}

/** The environment of a service, with the variables of an .env file filled in. */
function environmentOf(name: Service, env: Record<string, string>): Record<string, string> {
  const given = Object.entries(serviceNamed(name).environment ?? {})
  return Object.fromEntries(given.map(([key, value]) => [key, interpolate(String(value), env)]))
}

async function makeEnv(): Promise<{ text: string; mode: number; again: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-env-'))
  const path = join(folder, '.env')
  const script = join(root, 'deploy/docker/make-env.sh')
  try {
    await run(script, [path])
    const { mode } = await stat(path)
    const again = await run(script, [path]).then(
      () => 'overwritten',
      () => 'refused',
    )
    return { text: await readFile(path, 'utf8'), mode: mode & 0o777, again }
  } finally {
    await rm(folder, { recursive: true })
  }
}

t.test(
  'make-env.sh writes every secret of the compose file once, and each service accepts its environment',
  async (t) => {
    const { text, mode, again } = await makeEnv()
    const env = parseEnvFile(text)
    t.equal(mode, 0o600)
    t.equal(again, 'refused')
    for (const [name] of ownServices) {
      const environment = environmentOf(name, env)
      t.same(problemsWith(name, environment), [], `${name} accepts its settings`)
      t.doesNotThrow(() => checkStoreUrls(environment))
      const known = settingsOf(name)
      t.same(
        Object.keys(environment).filter((key) => !known.has(key)),
        [],
        `${name} reads all its settings`,
      )
    }
    t.match(
      env.NATS_PASSWORD,
      /^[a-z][0-9a-f]{64}$/,
      'begins with a letter, because NATS reads other values as numbers',
    )
    t.not(env.SIGNING_SECRET, parseEnvFile((await makeEnv()).text).SIGNING_SECRET)
  },
)

t.test('the files contain no secret', async (t) => {
  for (const [name, { environment = {} }] of Object.entries(compose.services)) {
    for (const [key, value] of Object.entries(environment)) {
      if (secretNames.test(key)) t.match(value, /^\$\{(\w+:-\$\{)?\w+:\?[^}]+\}+$/, `${name} ${key} comes from .env`)
    }
  }
  for (const [key, value] of Object.entries(parseEnvFile(readText('deploy/docker/.env.example')))) {
    if (secretNames.test(key)) t.equal(value, '', `${key} is empty in .env.example`)
  }
  t.match(readText('.gitignore'), /^\.env$/m)
})

t.test('every service waits until NATS, the event store and the object store are healthy', async (t) => {
  for (const [name, { depends_on = {} }] of ownServices) {
    t.same(Object.keys(depends_on).sort(), ['eventstore', 'minio', 'nats'], name)
    for (const { condition } of Object.values(depends_on)) t.equal(condition, 'service_healthy')
  }
  for (const [name, { healthcheck, restart }] of Object.entries(compose.services)) {
    t.ok(healthcheck.test.length > 1, `${name} has a health check`)
    t.equal(restart, 'unless-stopped')
  }
})

t.test('health checks run and use the port that the service listens on', async (t) => {
  for (const [name, { healthcheck, environment }] of ownServices) {
    const port = environment?.[speaksHttp(name) ? 'PORT' : 'ADMIN_PORT']
    t.match(healthcheck.test.at(-1), `http://127.0.0.1:${port}/readyz`, name)
    t.equal(environment?.HOST, '0.0.0.0')
    const [program = '', ...args] = healthcheck.test.slice(1)
    // Nothing listens on port 9. The check fails with exit code 1, not with a syntax error.
    const closed = args.map((arg) => arg.replace(/:\d+\//, ':9/'))
    await t.rejects(run(program, closed), { code: 1, stderr: '' }, name)
  }
})

t.test('one port is published, and the backing services are in internal networks only', async (t) => {
  const published = Object.entries(compose.services).filter(([, { ports }]) => ports)
  t.same(
    published.map(([name, { ports = [] }]) => [name, interpolate(ports.join(), {})]),
    [['proxy', '127.0.0.1:3000:3000']],
  )
  for (const name of ['nats', 'eventstore', 'minio']) {
    for (const network of serviceNamed(name).networks) t.equal(compose.networks[network]?.internal, true, name)
  }
  const renderer = new Set(serviceNamed('renderer').networks)
  for (const [name, { networks }] of ownServices) {
    if (name !== 'renderer')
      t.notOk(
        networks.some((network) => renderer.has(network)),
        `renderers cannot reach ${name}`,
      )
  }
  const used = new Set(Object.values(compose.services).flatMap(({ networks }) => networks))
  t.same([...used].sort(), Object.keys(compose.networks).sort())
})

t.test(
  'internal networks have no address of the host, and only the proxy is in a network with the gateways',
  async (t) => {
    for (const [name, { internal, driver_opts }] of Object.entries(compose.networks)) {
      if (internal) t.equal(driver_opts?.['com.docker.network.bridge.inhibit_ipv4'], 'true', name)
    }
    for (const name of ['gateway', 'gateway-2']) {
      t.ok(serviceNamed(name).networks.every((network) => compose.networks[network]?.internal))
    }
    const inFront = Object.entries(compose.services).filter(([, { networks }]) => networks.includes('front'))
    t.same(
      inFront.map(([name]) => name),
      ['proxy', 'gateway', 'gateway-2'],
    )
  },
)

t.test('two gateways differ in the volume of their views only, and the proxy uses both', async (t) => {
  const { volumes: one, ...first } = serviceNamed('gateway')
  const { volumes: two, ...second } = serviceNamed('gateway-2')
  t.same(first, second)
  t.not(one?.[0], two?.[0])
  const servers = readText('deploy/docker/haproxy.cfg').match(/(?<=^ {2}server \S+ )\S+/gm)
  t.same(servers, ['gateway:3000', 'gateway-2:3000'])
  t.same(Object.keys(serviceNamed('proxy').depends_on ?? {}), ['gateway', 'gateway-2'])
})

t.test('the number of processes is limited, and no limit is above that of the host', async (t) => {
  for (const [name, { pids_limit, deploy }] of ownServices) {
    t.ok(Number(pids_limit) > 0, name)
    t.equal(deploy.resources.limits.pids, pids_limit, name)
  }
  for (const service of Object.values(compose.services)) t.notOk('ulimits' in service)
})

t.test('every service of Platen runs with minimal privileges', async (t) => {
  for (const [name, service] of ownServices) {
    t.equal(service.read_only, true, name)
    t.same(service.cap_drop, ['ALL'])
    t.ok(service.security_opt.includes('no-new-privileges:true'))
    t.ok(service.deploy.resources.limits.cpus && service.deploy.resources.limits.memory)
    t.ok(service.build && existsSync(join(root, service.build.context, service.build.dockerfile)))
    t.equal(service.build?.args?.SERVICE ?? 'renderer', name)
  }
  const profile = serviceNamed('renderer').security_opt.find((option) => option.startsWith('seccomp='))
  t.ok(profile && existsSync(join(root, profile.slice('seccomp='.length))))
  t.equal(serviceNamed('renderer').deploy.replicas, 2)
})

t.test('a container is killed only after the longest work that its settings allow', async (t) => {
  const env = parseEnvFile((await makeEnv()).text)
  for (const [name] of ownServices) {
    const leastS = leastGraceS(name, environmentOf(name, env))
    const graceS = Number.parseInt(serviceNamed(name).stop_grace_period, 10)
    t.ok(graceS >= leastS, `${name} has ${graceS} s, and needs ${leastS}`)
  }
  t.equal(leastGraceS('renderer', environmentOf('renderer', env)), 300)
})
