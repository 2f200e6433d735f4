import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { freePort, freePorts } from './free-port.ts'
import { type Answer, type Launch, launch, type PlatenRequest, type Running, readJson, request } from './platen.ts'
import { descendantsOf, untilGone } from './processes.ts'

export const services = ['gateway', 'template', 'renderer', 'notifier'] as const
export type Service = (typeof services)[number]

/** A service in a process of its own. */
export interface ServiceProcess {
  name: string
  service: Service
  /** The URL of its health and metrics; for a gateway also of its API. */
  url: string
  /** `kill -9` of the process alone. Resolves when its child processes have exited too. */
  kill(): Promise<void>
  /** SIGTERM. Resolves with the exit code when its child processes have exited too. */
  stop(): Promise<number | null>
  /** Starts it again with the same settings. */
  start(): Promise<void>
  /**
   * Starts another one on another port with an empty data folder, and stops this one when the other is ready. From then on it is this
   * program, if one is given.
   */
  replace(entryPoint?: string): Promise<void>
  /** Id of the running or starting process. */
  pid(): number
  dataDir: string
  /** The errors logged since the last start. */
  errors(): string[]
}

export interface Gateway extends ServiceProcess {
  request(path: string, init?: PlatenRequest): Promise<Response>
  json<Body = unknown>(path: string, init?: PlatenRequest): Promise<Answer<Body>>
}

export interface Fleet extends AsyncDisposable {
  processes: readonly ServiceProcess[]
  gateways: readonly [Gateway, Gateway]
  apiKey: string
  /** The event store of the services. */
  store: EventStore
  /** Starts another gateway, of this source, which builds its views from the start of the log. */
  addGateway(env?: Record<string, string>): Promise<Gateway>
}

export interface FleetOptions {
  /** Programs that start a service with values that are no settings. Default: its own. */
  entryPoints?: Partial<Record<Service, string>>
  /** What is done while only the gateways run. The other services are started for the first time after that. */
  beforeOthers?: (gateway: Gateway) => Promise<unknown>
}

/**
 * Two processes of each service, each with its own data folder. `own` returns further settings of a process by its name,
 * such as `renderer-1`.
 */
export async function startFleet(
  engines: Record<string, string>,
  own: (name: string) => Record<string, string> = () => ({}),
  { entryPoints = {}, beforeOthers }: FleetOptions = {},
): Promise<Fleet> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-fleet-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const store = resources.adopt(await openEventStore(engines.EVENT_STORE_URL ?? ''), (store) => store.close())
  const ports = await freePorts(2 * services.length + 1)
  const apiKey = newApiKey()
  const common = {
    ...engines,
    SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_SCHEDULE: '0,1,1,1,1',
    RENDER_SLOTS: '1',
    PUBLIC_URL: urlAt(ports[0]),
  }
  const started: AsyncDisposable[] = []
  resources.defer(() => Promise.all(started.map((process) => process[Symbol.asyncDispose]())).then(() => {}))
  const startProcess = async (
    service: Service,
    index: number,
    port: number | undefined,
    {
      env = {},
      entryPoint = entryPoints[service],
    }: { env?: Record<string, string>; entryPoint?: string | undefined } = {},
  ) => {
    const name = `${service}-${index}`
    const http = service === 'gateway' ? { PORT: `${port}`, API_KEY: apiKey } : { ADMIN_PORT: `${port}` }
    const settings = { ...common, DATA_DIR: join(folder, name), ...http, ...own(name), ...env }
    const launch = { name, service, url: urlAt(port), settings, entryPoint }
    const process = await openServiceProcess(launch)
    started.push(process)
    return process
  }
  const start = async (some: readonly Service[]) => {
    const starting: Promise<ServiceProcess>[] = []
    for (const index of [1, 2]) {
      starting.push(
        ...some.map((service) => startProcess(service, index, ports[2 * services.indexOf(service) + index - 1])),
      )
      // Two gateways of 0.1.0 that create the same bucket at once may refuse to start.
      if (entryPoints.gateway) await Promise.allSettled(starting)
    }
    // Wait for all, so that none is left running if one cannot start.
    await Promise.allSettled(starting)
    return Promise.all(starting)
  }
  const processes: ServiceProcess[] = await start(beforeOthers ? ['gateway'] : services)
  const [one, other] = processes.filter(({ service }) => service === 'gateway').map((it) => asGateway(it, apiKey))
  if (!one || !other) throw new Error('there are not two gateways')
  if (beforeOthers) {
    await beforeOthers(one)
    processes.push(...(await start(services.filter((service) => service !== 'gateway'))))
  }
  const running = resources.move()
  return {
    processes,
    gateways: [one, other],
    apiKey,
    store,
    addGateway: async (env = {}) => {
      const entryPoint = serviceEntryPoint('gateway')
      return asGateway(await startProcess('gateway', 3, ports.at(-1), { env, entryPoint }), apiKey)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const urlAt = (port: number | undefined) => `http://127.0.0.1:${port}`

export const serviceEntryPoint = (service: Service): string =>
  fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url))

/** Rejects with NotStarted if the process exits instead. */
export function launchService(
  service: Service,
  settings: Record<string, string>,
  {
    entryPoint = serviceEntryPoint(service),
    onSpawn,
  }: Partial<Pick<Launch, 'onSpawn'> & { entryPoint: string | undefined }> = {},
): Promise<Running> {
  const readyText = service === 'gateway' ? 'gateway listening' : '"ready"'
  return launch({ entryPoint, settings, readyText, onSpawn })
}

interface ServiceLaunch extends Pick<ServiceProcess, 'name' | 'service' | 'url'> {
  settings: Record<string, string> & { DATA_DIR: string }
  entryPoint: string | undefined
}

async function openServiceProcess(launched: ServiceLaunch): Promise<ServiceProcess & AsyncDisposable> {
  const { name, service } = launched
  let { url, settings, entryPoint } = launched
  let replaced = 0
  let child: ChildProcess | undefined
  const start = () => launchService(service, settings, { entryPoint, onSpawn: (spawned) => (child = spawned) })
  let running = await start()
  const end = async (signal: NodeJS.Signals, { child, exited } = running) => {
    const children = await descendantsOf(child.pid ?? 0)
    child.kill(signal)
    await exited
    await untilGone(children)
    return child.exitCode
  }
  return {
    name,
    service,
    get url() {
      return url
    },
    async replace(next = entryPoint) {
      entryPoint = next
      const [old, port] = [running, await freePort()]
      const portSetting = service === 'gateway' ? 'PORT' : 'ADMIN_PORT'
      settings = { ...settings, [portSetting]: `${port}`, DATA_DIR: `${launched.settings.DATA_DIR}-${++replaced}` }
      running = await start()
      url = urlAt(port)
      await end('SIGTERM', old)
    },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
    },
    async start() {
      running = await start()
    },
    pid: () => child?.pid ?? 0,
    get dataDir() {
      return settings.DATA_DIR
    },
    errors: () => running.output().split('\n').filter(isError),
    [Symbol.asyncDispose]: () => running.end(),
  }
}

/** A log line at level error or fatal, or a line that is not JSON, such as a stack trace or a warning of Node. */
function isError(line: string): boolean {
  if (line === '') return false
  return !line.startsWith('{') || /^\{"level":[56]0/.test(line)
}

function asGateway(process: ServiceProcess, apiKey: string): Gateway {
  const send = (path: string, init: PlatenRequest = {}) => request(new URL(path, process.url), apiKey, init)
  return {
    ...process,
    // Another one when it was replaced.
    get url() {
      return process.url
    },
    request: send,
    json: async (path, init) => readJson(await send(path, init)),
  }
}
