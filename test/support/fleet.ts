import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newApiKey } from '@platen/shared/api-keys/api-keys.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { openEventStore } from '@platen/shared/event-store/open-event-store.ts'
import { type Answer, freePorts, launch, type PlatenRequest, type Running, readJson, request } from './platen.ts'
import { descendantsOf, untilGone } from './processes.ts'

export const services = ['gateway', 'template', 'renderer', 'notifier'] as const
export type Service = (typeof services)[number]

/** One service as a process of its own. */
export interface ServiceProcess {
  name: string
  service: Service
  /** Where its health and figures are; a gateway's are where its API is. */
  url: string
  /** `kill -9` of the process alone; resolves once all that it had started is gone, too. */
  kill(): Promise<void>
  /** SIGTERM; resolves with its exit code once all that it had started is gone, too. */
  stop(): Promise<number | null>
  /** Starts it again as it was. */
  start(): Promise<void>
  /** The errors it has logged since its last start. */
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
  /** The same event store that the services work on. */
  store: EventStore
  /** One more gateway, which builds its views from the whole log. */
  addGateway(env?: Record<string, string>): Promise<Gateway>
}

/** Two of each service, each with a data folder of its own. */
export async function startFleet(engines: Record<string, string>): Promise<Fleet> {
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
  const startProcess = async (service: Service, index: number, port: number | undefined, env = {}) => {
    const name = `${service}-${index}`
    const own = service === 'gateway' ? { PORT: `${port}`, API_KEY: apiKey } : { OPERATIONS_PORT: `${port}` }
    const settings = { ...common, DATA_DIR: join(folder, name), ...own, ...env }
    const process = await openServiceProcess(name, service, urlAt(port), settings)
    started.push(process)
    return process
  }
  const starting = [1, 2].flatMap((index) =>
    services.map((service, at) => startProcess(service, index, ports[2 * at + index - 1])),
  )
  // None is left behind when another one cannot start.
  await Promise.allSettled(starting)
  const processes = await Promise.all(starting)
  const [one, other] = processes.filter(({ service }) => service === 'gateway').map((it) => asGateway(it, apiKey))
  if (!one || !other) throw new Error('there are not two gateways')
  const running = resources.move()
  return {
    ...{ processes, gateways: [one, other], apiKey, store },
    addGateway: async (env) => asGateway(await startProcess('gateway', 3, ports.at(-1), env), apiKey),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const urlAt = (port: number | undefined) => `http://127.0.0.1:${port}`

/** Rejects with NotStarted when it ends instead. */
export function launchService(service: Service, settings: Record<string, string>): Promise<Running> {
  const entryPoint = fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url))
  const readyText = service === 'gateway' ? 'gateway listening' : '"ready"'
  return launch({ entryPoint, settings, readyText })
}

async function openServiceProcess(
  name: string,
  service: Service,
  url: string,
  settings: Record<string, string>,
): Promise<ServiceProcess & AsyncDisposable> {
  let running = await launchService(service, settings)
  const end = async (signal: NodeJS.Signals) => {
    const children = await descendantsOf(running.child.pid ?? 0)
    running.child.kill(signal)
    await running.exited
    await untilGone(children)
    return running.child.exitCode
  }
  return {
    ...{ name, service, url },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
    },
    async start() {
      running = await launchService(service, settings)
    },
    errors: () => running.output().split('\n').filter(isError),
    [Symbol.asyncDispose]: () => running.end(),
  }
}

/** A line of pino's at level error or fatal, or one that is none: a stack, a warning of Node's. */
function isError(line: string): boolean {
  if (line === '') return false
  return !line.startsWith('{') || /^\{"level":[56]0/.test(line)
}

function asGateway(process: ServiceProcess, apiKey: string): Gateway {
  const send = (path: string, init: PlatenRequest = {}) => request(new URL(path, process.url), apiKey, init)
  return { ...process, request: send, json: async (path, init) => readJson(await send(path, init)) }
}
