import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { startEmbeddedEngines } from './engines.ts'
import { type Service, services } from './fleet.ts'
import { freePorts } from './free-port.ts'
import { type Answer, launch, type PlatenRequest, type Running, readJson, request } from './platen.ts'

export interface OneOfEach extends AsyncDisposable {
  /** The URL of the admin server of a service, or of the gateway. */
  urls: Record<Service, string>
  /** Sends a request with an API key that has all scopes except `admin`. */
  request(path: string, init?: PlatenRequest): Promise<Response>
  json<Body = unknown>(path: string, init?: PlatenRequest): Promise<Answer<Body>>
  /** The backing services, as settings. */
  engines: Record<string, string>
  /** What a service has printed. */
  output(service: Service): string
}

export interface OneOfEachOptions {
  settings?: Record<string, string>
  /** Further settings of one of them. */
  own?: Partial<Record<Service, Record<string, string>>>
}

const here = fileURLToPath(new URL('../..', import.meta.url))

/** One process of each service, on SQLite, an object folder and a NATS without authentication. */
export async function startOneOfEach({ settings = {}, own = {} }: OneOfEachOptions): Promise<OneOfEach> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'platen-each-'))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const engines = resources.use(await startEmbeddedEngines())
  const ports = await freePorts(services.length)
  const urls = Object.fromEntries(services.map((name, at) => [name, `http://127.0.0.1:${ports[at]}`])) as Record<
    Service,
    string
  >
  const apiKey = newApiKey()
  const running = new Map<Service, Running>()
  const start = async (service: Service) => {
    const port = new URL(urls[service]).port
    const http = service === 'gateway' ? { PORT: port, API_KEY: apiKey } : { ADMIN_PORT: port }
    const started = await launch({
      entryPoint: resolve(here, `services/${service}/src/main.ts`),
      readyText: service === 'gateway' ? 'gateway listening' : '"ready"',
      settings: {
        ...engines.settings,
        SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
        PUBLIC_URL: urls.gateway,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        RENDER_SLOTS: '1',
        DATA_DIR: join(folder, service),
        ...http,
        ...settings,
        ...own[service],
      },
    })
    running.set(service, started)
    resources.defer(() => started.end())
  }
  const starting = services.map(start)
  // Wait for all, so that none is left running if one cannot start.
  await Promise.allSettled(starting)
  await Promise.all(starting)
  const send = (path: string, init: PlatenRequest = {}) => request(new URL(path, urls.gateway), apiKey, init)
  const all = resources.move()
  return {
    urls,
    request: send,
    json: async (path, init) => readJson(await send(path, init)),
    engines: engines.settings,
    output: (service) => running.get(service)?.output() ?? '',
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
