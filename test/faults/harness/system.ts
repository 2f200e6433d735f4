import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { embeddedNatsUrl, readEmbeddedNats, servicesUser } from '@platen/service-kit/host/embedded-nats.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { type ConnectionOptions, connect, type NatsConnection } from 'nats'
import { runCli, runFake } from '../../support/engines.ts'
import { type FleetOptions, type Gateway, type Service, type ServiceProcess, startFleet } from '../../support/fleet.ts'
import { killNow } from '../../support/kill-now.ts'
import { type LoopDisk, openLoopDisk } from '../../support/loop-disk.ts'
import { startNatsCluster, type TestNatsCluster } from '../../support/nats-cluster.ts'
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts'
import { type Platen, startPlaten } from '../../support/platen.ts'
import { allProcesses, below } from '../../support/processes.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { type HostClock, hostClock } from '../../support/wrong-clock.ts'
import type { Cluster } from './cluster/away.ts'
import { EventStoreNodes } from './cluster/event-store-nodes.ts'
import { withDisk } from './cluster/nats-faults.ts'
import { quickNotifier, quickPlaten } from './tuning.ts'

export type LinkTo = 'nats' | 'events' | 'objects'

/** A process of the product that may be killed, stopped and started. */
export interface Target {
  name: string
  /** `platen` is all services in one process. */
  service: Service | 'platen'
  pid(): number
  kill(): Promise<void>
  stop(): Promise<number | null>
  /** Starts it again until it is ready, as a supervisor does. */
  start(): Promise<void>
  /** Starts another one, of this program if it is given, and stops this one when the other is ready. Absent if there is one process. */
  replace?: (entryPoint?: string) => Promise<void>
  /** Starts it once. Rejects if it exits instead. */
  startOnce(): Promise<void>
  /** Removes its views. It must not run. */
  deleteViews(): Promise<void>
  /** Its folder, with the views. */
  dataDir: string
  /** Its connections, each through a proxy of its own. */
  links: Partial<Record<LinkTo, TcpProxy>>
  /** Absent if it has that of this machine. */
  clock?: HostClock | undefined
}

/** A server under the product. */
export interface Engine {
  name: string
  pid(): number
  /** What a fake server printed, if it has ended: then the run says nothing about the product. */
  failure?: (() => string | undefined) | undefined
  /** `kill -9` and a start with the same files. Absent if it would lose its data. */
  restart?: () => Promise<void>
}

export type Door = Pick<Gateway, 'name' | 'json' | 'request'>

/** The browsers of all renderers, which start by a script. */
export interface Browsers {
  /** Processes that start from now on exit at once. */
  fail(): Promise<void>
  work(): Promise<void>
}

export interface System extends AsyncDisposable {
  /** What runs, for the report. */
  description: Record<string, string>
  gateways: Door[]
  /** An event store may have records of earlier runs. */
  startedMs: number
  /** The settings of an operator's command line, past the proxies. */
  verbEnv(): Promise<Record<string, string>>
  targets: Target[]
  engines: Engine[]
  /** Opened by the first call: before, nothing of this process may use the disk, which a fault mounts again. */
  stores(): Promise<{ store: EventStore; objects: ObjectStore }>
  /** Undefined for an object store in the network. */
  objectFolder: string | undefined
  /** A file system for everything that the processes keep, if one was asked for and can be mounted. */
  disk: LoopDisk | undefined
  browsers: Browsers
  /** Connects past the proxies. */
  nats(): Promise<NatsConnection>
  /** A gateway whose views are built from the start of the log. */
  freshGateway(): Promise<Door>
  /** The engines of three nodes each, if it has such. */
  cluster?: Cluster
}

export interface SystemOptions {
  single: boolean
  /**
   * `embedded`: SQLite and a folder. `networked`: EventStoreDB and S3, real ones where there are some, else fakes.
   * `cluster`: three nats-servers, three nodes of a fake EventStoreDB, and a fake S3; for several processes only.
   */
  engines: 'embedded' | 'networked' | 'cluster'
  /** A file system of its own, which can be filled and lose its power. */
  ownDisk?: boolean
  /** Whether each process of several has proxies of its own, through which its connections are disturbed. Default: true. */
  proxies?: boolean
  /** The first API key. Default: a new one. Of one process only. */
  apiKey?: string
  /** Programs to start at first, instead of those of this source. Of several processes only. */
  entryPoints?: FleetOptions['entryPoints']
  say: (line: string) => void
}

/** More than all runs need. Only what is written takes space. */
const diskMb = 8_192

const settings = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SCHEDULE: '0,1,1,2,2,4,4,8,8,8',
}

export async function startSystem({
  single,
  engines,
  ownDisk = false,
  proxies = true,
  apiKey = newApiKey(),
  entryPoints = {},
  say,
}: SystemOptions): Promise<System> {
  // A new event store has nothing else. Its times are those of processes with wrong clocks.
  const startedMs = process.env.ESDB_TEST_URL ? Date.now() : 0
  await using resources = new AsyncDisposableStack()
  const opened = ownDisk ? await openLoopDisk(diskMb) : undefined
  if (typeof opened === 'string') say(`no fault of a disk is tested: this user cannot mount one (${opened})`)
  const disk = typeof opened === 'string' ? undefined : opened
  if (disk) resources.use(disk)
  // In a cluster, the disk is that of one nats-server.
  const folder = await mkdtemp(join((engines !== 'cluster' && disk?.folder) || tmpdir(), 'platen-harness-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const backing = engines === 'embedded' ? embedded(folder) : await networked(resources, engines)
  const cluster = backing.events && { nats: await openNatsCluster(resources, disk), events: backing.events }
  const browsers = await openBrowsers(resources)
  const at = { folder, proxies, apiKey, entryPoints, settings: { ...settings, CHROMIUM_PATH: browsers.path } }
  const system = single
    ? await oneProcess(resources, backing, at)
    : await twoOfEach(resources, backing, at, cluster?.nats)
  const running = resources.move()
  const { EVENT_STORE_URL = '', OBJECT_STORE_URL = '' } = backing.settings
  const openStores = async () => {
    const store = running.adopt(await openEventStore(EVENT_STORE_URL), (store) => store.close())
    const objects = running.adopt(
      await openObjectStore(OBJECT_STORE_URL, {
        accessKey: backing.settings.OBJECT_STORE_ACCESS_KEY,
        secretKey: backing.settings.OBJECT_STORE_SECRET_KEY,
      }),
      (objects) => objects.close(),
    )
    return { store, objects }
  }
  let stores: ReturnType<typeof openStores> | undefined
  const description = {
    processes: single ? 'one' : 'two of each service',
    ...backing.description,
    ...(disk && { disk: 'a disk of its own' }),
  }
  const objectFolder = engines === 'embedded' ? join(folder, 'objects') : undefined
  return {
    ...system,
    description,
    objectFolder,
    disk,
    startedMs,
    browsers,
    ...(cluster && { cluster }),
    stores() {
      stores ??= openStores()
      return stores
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function openBrowsers(resources: AsyncDisposableStack): Promise<Browsers & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-browsers-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const path = join(folder, 'chromium')
  const script = `#!/bin/sh\n[ -e "$0.fails" ] && exit 1\nexec ${findChromium(CHROMIUM_PATH, PATH)} "$@"\n`
  await writeFile(path, script, { mode: 0o755 })
  return {
    path,
    fail: () => writeFile(`${path}.fails`, ''),
    work: () => rm(`${path}.fails`, { force: true }),
  }
}

interface Place {
  folder: string
  proxies: boolean
  apiKey: string
  entryPoints: FleetOptions['entryPoints']
  settings: Record<string, string>
}

interface Backing {
  description: Record<string, string>
  settings: Record<string, string>
  engines: Engine[]
  /** The nodes of an event store that has several. */
  events?: EventStoreNodes
}

/** Three nats-servers with the streams of Platen, of which each has three replicas. */
async function openNatsCluster(resources: AsyncDisposableStack, disk: LoopDisk | undefined): Promise<TestNatsCluster> {
  const storeDirs = disk ? { [withDisk]: join(disk.folder, 'nats') } : {}
  const cluster = resources.use(await startNatsCluster({ storeDirs }))
  await runCli({ NATS_URL: cluster.url }, 'streams', 'setup', '--replicas', '3')
  return cluster
}

function embedded(folder: string): Backing {
  return {
    description: { events: 'SQLite', objects: 'a folder' },
    settings: { EVENT_STORE_URL: `sqlite:${folder}/events.db`, OBJECT_STORE_URL: `file:${folder}/objects` },
    engines: [],
  }
}

async function networked(resources: AsyncDisposableStack, kind: 'networked' | 'cluster'): Promise<Backing> {
  const { ESDB_TEST_URL, ESDB_TEST_COMMAND, S3_TEST_URL, S3_TEST_ACCESS_KEY, S3_TEST_SECRET_KEY } = process.env
  const engines: Engine[] = []
  let eventStoreUrl = ESDB_TEST_URL
  const nodes = kind === 'cluster' ? await runFake(resources, 'eventstoredb-cluster') : undefined
  const events = nodes && new EventStoreNodes(nodes.control ?? '')
  if (nodes) {
    eventStoreUrl = nodes.url
    engines.push({ name: 'fake cluster of EventStoreDB', pid: () => nodes.pid ?? 0, failure: nodes.failure })
  } else if (ESDB_TEST_COMMAND) {
    if (!ESDB_TEST_URL) throw new Error('ESDB_TEST_COMMAND starts a server: set ESDB_TEST_URL to its URL')
    engines.push(await startEventStoreDb(resources, ESDB_TEST_COMMAND, ESDB_TEST_URL))
  } else if (!ESDB_TEST_URL) {
    const fake = await runFake(resources, 'eventstoredb')
    eventStoreUrl = fake.url
    if (fake.pid) engines.push({ name: 'fake EventStoreDB', pid: () => fake.pid ?? 0, failure: fake.failure })
  }
  const s3 = S3_TEST_URL
    ? { url: S3_TEST_URL, accessKey: S3_TEST_ACCESS_KEY, secretKey: S3_TEST_SECRET_KEY }
    : await runFake(resources, 's3')
  if ('pid' in s3 && s3.pid) engines.push({ name: 'fake S3', pid: () => s3.pid ?? 0, failure: s3.failure })
  return {
    description: {
      events: events ? 'three nodes of a fake EventStoreDB' : ESDB_TEST_URL ? 'EventStoreDB' : 'fake EventStoreDB',
      objects: S3_TEST_URL ? 'S3' : 'fake S3',
    },
    settings: {
      EVENT_STORE_URL: eventStoreUrl ?? '',
      OBJECT_STORE_URL: s3.url ?? '',
      OBJECT_STORE_ACCESS_KEY: s3.accessKey ?? '',
      OBJECT_STORE_SECRET_KEY: s3.secretKey ?? '',
    },
    engines,
    ...(events && { events }),
  }
}

/** Runs the command of a real server in a process group of its own, in the foreground, with files that outlive it. */
async function startEventStoreDb(resources: AsyncDisposableStack, command: string, url: string): Promise<Engine> {
  const launch = async () => {
    const child = spawn('sh', ['-c', `exec ${command}`], { stdio: 'ignore', detached: true })
    for (const deadline = Date.now() + 120_000; ; ) {
      const store = await openEventStore(url)
      try {
        for await (const _ of store.readStream('harness-start', { signal: AbortSignal.timeout(2_000) })) break
        return child
      } catch (err) {
        if (Date.now() > deadline || child.exitCode !== null)
          throw new Error('ESDB_TEST_COMMAND: no server', { cause: err })
        await delay(500)
      } finally {
        await store.close()
      }
    }
  }
  const end = async (child: ChildProcess) => {
    const closed = once(child, 'close')
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await closed
  }
  let running = await launch()
  resources.defer(() => end(running))
  return {
    name: 'EventStoreDB',
    pid: () => running.pid ?? 0,
    async restart() {
      await end(running)
      running = await launch()
    },
  }
}

async function twoOfEach(
  resources: AsyncDisposableStack,
  backing: Backing,
  { folder, proxies, entryPoints, settings }: Place,
  cluster?: TestNatsCluster,
) {
  const nats = cluster ?? resources.use(await startNatsServer(['-sd', join(folder, 'nats')]))
  // A cluster has proxies of its own, with which a server is cut off.
  const natsUrl = cluster?.clientsUrl ?? nats.url
  const names = ['gateway', 'template', 'renderer', 'notifier'].flatMap((service) => [`${service}-1`, `${service}-2`])
  const links = new Map<string, Target['links']>()
  for (const name of proxies && !cluster ? names : [])
    links.set(name, await openLinks(resources, { ...backing.settings, NATS_URL: nats.url }))
  // Those of a run whose connections are disturbed, too.
  const clocks = new Map([...links.keys()].map((name) => [name, hostClock(join(folder, `${name}.clock`))]))
  const common = { ...backing.settings, NATS_URL: natsUrl }
  const fleet = resources.use(
    await startFleet(
      common,
      (name) => ({
        ...settings,
        ...through(common, links.get(name) ?? {}),
        ...clocks.get(name)?.settings,
        DATA_DIR: join(folder, name),
        // Each start of a process changes the number of partitions of its relay.
        RELAY_PARTITIONS: name.endsWith('1') ? '4' : '3',
      }),
      { entryPoints: { notifier: quickNotifier, ...entryPoints }, beforeOthers: recordForOthers },
    ),
  )
  return {
    gateways: [...fleet.gateways] as Door[],
    verbEnv: async () => ({ ...common, NATS_URL: nats.url, DATA_DIR: join(folder, 'gateway-1') }),
    targets: fleet.processes.map((process) =>
      asTarget(process, links.get(process.name) ?? {}, clocks.get(process.name)),
    ),
    engines: [...('pid' in nats ? [engineOf(nats)] : []), ...backing.engines],
    nats: () => connect({ servers: nats.url.replaceAll('nats://', '').split(',') }),
    freshGateway: () => fleet.addGateway(),
  }
}

const engineOf = (nats: TestNatsServer): Engine => ({
  name: 'nats-server',
  pid: () => nats.pid,
  restart: () => nats.restart(),
})

/** The relay of the template service publishes what the gateways record, also before its first start. */
async function recordForOthers({ request }: Gateway): Promise<void> {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
  const { status } = await request('/v1/assets/before-all-others.svg', {
    method: 'PUT',
    headers: { 'content-type': 'image/svg+xml' },
    body: Buffer.from(svg),
  })
  if (status !== 201) throw new Error(`an asset was not stored while only the gateways ran: ${status}`)
}

function asTarget(process: ServiceProcess, links: Target['links'], clock: HostClock | undefined): Target {
  const { name, service, pid, kill, stop, start, replace } = process
  const deleteViews = () => removeViews(process.dataDir)
  return {
    name,
    service,
    pid,
    kill,
    stop,
    replace: (entryPoint) => supervised(() => replace(entryPoint)),
    get dataDir() {
      return process.dataDir
    },
    start: () => supervised(start),
    startOnce: start,
    links,
    clock,
    deleteViews,
  }
}

/** A supervisor starts a process again that exits because a server is not reachable. */
async function supervised(start: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await delay(1_000)) {
    try {
      return await start()
    } catch (err) {
      if (Date.now() > deadline) throw err
    }
  }
}

const removeViews = async (dataDir: string) => {
  for (const folder of ['gateway', 'notifier']) await rm(join(dataDir, folder), { recursive: true, force: true })
}

async function oneProcess(resources: AsyncDisposableStack, backing: Backing, { folder, apiKey, settings }: Place) {
  const links = await openLinks(resources, backing.settings)
  const own = { API_KEY: apiKey, DATA_DIR: join(folder, 'data'), RENDER_SLOTS: '2' }
  const env = { ...settings, ...own, ...through(backing.settings, links) }
  const platen = resources.use(await startPlaten(env, quickPlaten))
  const door = { name: 'platen', json: platen.json, request: platen.request }
  const target: Target = {
    name: 'platen',
    service: 'platen',
    pid: platen.pid,
    kill: () => platen.kill(),
    stop: () => platen.stop(),
    start: () => supervised(() => platen.start()),
    startOnce: () => platen.start(),
    deleteViews: () => removeViews(platen.dataDir),
    dataDir: platen.dataDir,
    links,
  }
  return {
    gateways: [door],
    // Its nats-server is found by its folder.
    verbEnv: async () => ({ ...backing.settings, DATA_DIR: platen.dataDir }),
    targets: [target],
    engines: [natsChild(platen), ...backing.engines],
    nats: async () => connect(await natsOptions(platen)),
    async freshGateway() {
      await platen.stop()
      await removeViews(platen.dataDir)
      await platen.start()
      return door
    },
  }
}

/** The nats-server that Platen runs and starts again. */
function natsChild(platen: Platen): Engine {
  const pid = () => below(allProcesses(), platen.pid()).find(({ command }) => /nats-server/.test(command))?.pid ?? 0
  return {
    name: 'nats-server',
    pid,
    async restart() {
      if (pid() > 0) killNow(pid())
    },
  }
}

async function natsOptions({ dataDir }: Platen): Promise<ConnectionOptions> {
  const nats = await readEmbeddedNats(dataDir)
  const servers = embeddedNatsUrl(nats?.port ?? 0)
  return { servers, user: servicesUser, pass: nats?.passwords.services ?? '', maxReconnectAttempts: -1 }
}

const linked: Record<LinkTo, string> = { nats: 'NATS_URL', events: 'EVENT_STORE_URL', objects: 'OBJECT_STORE_URL' }

/** A proxy for each server that is reached over the network. */
async function openLinks(resources: AsyncDisposableStack, urls: Record<string, string>): Promise<Target['links']> {
  const links: Target['links'] = {}
  for (const [to, name] of Object.entries(linked)) {
    const port = portOf(urls[name])
    if (port !== undefined) links[to as LinkTo] = resources.use(await startTcpProxy(port, { http2: to === 'events' }))
  }
  return links
}

const portOf = (url = '') => {
  const port = /^(?:nats|esdb|kurrentdb|s3):\/\/(?:[^@/]*@)?(?:127\.0\.0\.1|localhost):(\d+)/.exec(url)?.[1]
  return port === undefined ? undefined : Number(port)
}

/** The settings with the ports of the proxies. */
function through(urls: Record<string, string>, links: Target['links']): Record<string, string> {
  const changed: Record<string, string> = { ...urls }
  for (const [to, proxy] of Object.entries(links)) {
    const name = linked[to as LinkTo]
    const url = urls[name] ?? ''
    changed[name] = url.replace(`:${portOf(url)}`, `:${proxy.port}`)
  }
  return changed
}
