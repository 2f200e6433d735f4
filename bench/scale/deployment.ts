import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { holdersOf } from '@platen/service-kit/relay/relay-holders.ts'
import { launchService, type Service } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import { launch, type Running, testApiKey } from '../../test/support/platen.ts'
import { descendantsOf } from '../../test/support/processes.ts'
import { until } from '../../test/support/until.ts'
import { startFlushedNatsServer } from '../machine/flushed-nats.ts'
import { openPlaten } from '../strategies/running-platen.ts'
import { coreSets, pin } from './core-sets.ts'
import type { DeploymentName, Part } from './result.ts'
import { type Print, writeStandIn } from './write-stand-in.ts'

export interface MeasuredProcess {
  part: Part
  pid: number
}

export interface Deployment extends AsyncDisposable {
  processes: readonly MeasuredProcess[]
  /** Of the gateways. */
  urls: readonly string[]
  apiKey: string
  cores: string
  /** What can be asked for counts. Absent in one process, whose nats-server answers its own services only. */
  counters?: {
    /** The monitoring port of nats-server. */
    nats: string
    /** The metrics of the services that record events. */
    metrics: readonly string[]
    objectStore?: string
  }
}

export interface DeploymentPlan {
  name: DeploymentName
  size: number
  /** Of the relay of the renderers. Each has a process. */
  partitions: number
  slots: number
  print: Print
}

/** The same values as in the images. */
const environment = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=8', LOG_LEVEL: 'info' }
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Starts a deployment of which the browsers are stand-ins, each unit on a core of its own. */
export async function startDeployment(plan: DeploymentPlan): Promise<Deployment> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-scale-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const chromium = await writeStandIn(folder, plan.print)
  const common = { CHROMIUM_PATH: chromium, RENDER_SLOTS: String(plan.slots), WEBHOOK_ALLOW_PRIVATE: 'true' }
  const started =
    plan.name === 'one process, SQLite'
      ? await startOneProcess(resources, { ...environment, ...common })
      : await startProcesses(resources, plan, folder, { ...environment, ...common })
  const sets = coreSets(plan.size)
  for (const { pid, unit } of started.pinned) await pin(pid, unit === undefined ? sets.others : sets.unit(unit))
  // The client is this process. The next deployment begins on all cores again.
  await pin(process.pid, sets.others)
  resources.defer(() => pin(process.pid, sets.all))
  const running = resources.move()
  return { ...started.deployment, cores: sets.about, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

interface Started {
  deployment: Omit<Deployment, 'cores' | typeof Symbol.asyncDispose>
  /** The core of a process is that of its unit, if it has one. */
  pinned: { pid: number; unit?: number }[]
}

async function startOneProcess(resources: AsyncDisposableStack, settings: Record<string, string>): Promise<Started> {
  const { pid, url, apiKey } = resources.use(await openPlaten(settings))
  const children = await descendantsOf(pid)
  const processes = children.map(({ pid, command }) => ({ pid, part: partOfChild(command) }))
  return {
    deployment: { processes: [{ part: 'Platen', pid }, ...processes], urls: [url], apiKey },
    pinned: [{ pid, unit: 0 }, ...processes.map(({ pid, part }) => (part === 'stand-in' ? { pid, unit: 0 } : { pid }))],
  }
}

const partOfChild = (command: string): Part => (/nats-server/.test(command) ? 'nats-server' : 'stand-in')

async function startProcesses(
  resources: AsyncDisposableStack,
  { name, size, partitions }: DeploymentPlan,
  folder: string,
  given: Record<string, string>,
): Promise<Started> {
  const units = Array.from({ length: size }, (_, unit) => unit)
  const [natsPort = 0, ...ports] = await freePorts(1 + 3 * size)
  const nats = resources.use(await startFlushedNatsServer(['-m', String(natsPort)]))
  const stores = name === 'processes, SQLite' ? localStores(folder) : await startStores(resources)
  const processes: (MeasuredProcess & { unit?: number })[] = [
    { part: 'nats-server', pid: nats.pid },
    ...stores.processes,
  ]
  const common = {
    ...given,
    ...stores.settings,
    NATS_URL: nats.url,
    SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    MAX_QUEUED: '20000',
  }
  const add = async (part: Part, unit: number | undefined, starting: Promise<Running>) => {
    const running = resources.adopt(await starting, (process) => process.end())
    processes.push({ part, pid: running.child.pid ?? 0, ...(unit !== undefined && { unit }) })
  }
  const settingsOf = (part: string, unit: number, own: Record<string, string> = {}) => ({
    ...common,
    ...own,
    DATA_DIR: join(folder, `${part}-${unit}`),
  })
  const start = (service: Service, unit: number, port?: number) => {
    const http = service === 'gateway' ? { PORT: `${port}`, API_KEY: testApiKey } : port && { ADMIN_PORT: `${port}` }
    const part = service === 'template' ? 'template service' : service
    return add(
      part,
      part === 'template service' ? undefined : unit,
      launchService(service, settingsOf(service, unit, http || {})),
    )
  }
  // Before the renderers, so that these find the leases taken.
  for (const unit of units.slice(0, partitions)) {
    const settings = settingsOf('relay', unit, { RELAY_PARTITIONS: String(partitions) })
    await add('relay', unit, launch({ entryPoint: pathOf('run-relay.ts'), settings, readyText: '"ready"' }))
  }
  await untilDivided(nats.url, partitions)
  const metrics = ports.slice(size)
  await start('template', 0)
  for (const unit of units) {
    await Promise.all([
      start('gateway', unit, ports[unit]),
      start('renderer', unit, metrics[2 * unit]),
      start('notifier', unit, metrics[2 * unit + 1]),
    ])
  }
  const renderers = processes.filter(({ part }) => part === 'renderer')
  for (const { pid, unit } of renderers) {
    const children = await descendantsOf(pid)
    processes.push(
      ...children.map((child) => ({ part: 'stand-in' as const, pid: child.pid, ...(unit !== undefined && { unit }) })),
    )
  }
  const urlOf = (port: number) => `http://127.0.0.1:${port}`
  return {
    deployment: {
      processes,
      urls: ports.slice(0, size).map(urlOf),
      apiKey: testApiKey,
      counters: {
        nats: urlOf(natsPort),
        metrics: metrics.map((port) => `${urlOf(port)}/metrics`),
        ...(stores.counts && { objectStore: stores.counts }),
      },
    },
    pinned: processes,
  }
}

/** Resolves when each process of the relay has a partition. */
async function untilDivided(url: string, partitions: number): Promise<void> {
  await using bus = await openBus({ url }, 'bench', createLogger('bench', 'silent'))
  await until(async () => {
    const holders = await holdersOf(bus, 'renderer', partitions)
    return holders.every((holder) => holder !== undefined) && new Set(holders).size === partitions ? true : undefined
  }, 'a process of the relay has no partition')
}

interface Stores {
  settings: Record<string, string>
  processes: MeasuredProcess[]
  /** Answers with the number of requests to the object store, by method. */
  counts?: string
}

const localStores = (folder: string): Stores => ({
  settings: { EVENT_STORE_URL: `sqlite:${folder}/events.db`, OBJECT_STORE_URL: `file:${folder}/objects` },
  processes: [],
})

/** The servers of ESDB_TEST_URL and S3_TEST_URL; without these, the fakes. */
async function startStores(resources: AsyncDisposableStack): Promise<Stores> {
  const { ESDB_TEST_URL, S3_TEST_URL, S3_TEST_ACCESS_KEY = '', S3_TEST_SECRET_KEY = '' } = process.env
  const startFake = async (entryPoint: string) => {
    const running = resources.adopt(await launch({ entryPoint, settings: {}, readyText: '}\n' }), (fake) => fake.end())
    return { pid: running.child.pid ?? 0, told: JSON.parse(running.output()) as Record<string, string> }
  }
  const events = ESDB_TEST_URL ? undefined : await startFake(pathOf('../../test/support/run-fake-eventstoredb.ts'))
  const objects = S3_TEST_URL ? undefined : await startFake(pathOf('run-counted-s3.ts'))
  return {
    settings: {
      EVENT_STORE_URL: ESDB_TEST_URL || (events?.told.url ?? ''),
      OBJECT_STORE_URL: S3_TEST_URL || (objects?.told.url ?? ''),
      OBJECT_STORE_ACCESS_KEY: objects?.told.accessKey ?? S3_TEST_ACCESS_KEY,
      OBJECT_STORE_SECRET_KEY: objects?.told.secretKey ?? S3_TEST_SECRET_KEY,
    },
    processes: [
      ...(events ? [{ part: 'event store' as const, pid: events.pid }] : []),
      ...(objects ? [{ part: 'object store' as const, pid: objects.pid }] : []),
    ],
    ...(objects?.told.counts !== undefined && { counts: objects.told.counts }),
  }
}
