import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { allScopes, type Scope } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import type { GatewayConfig } from '@platen/gateway/config.ts'
import { type RunningGateway, startGateway } from '@platen/gateway/start.ts'
import type { NotifierConfig } from '@platen/notifier/config.ts'
import { startNotifier } from '@platen/notifier/start.ts'
import type { BackingServices } from '@platen/service-kit/host/backing-services.ts'
import { startTemplate } from '@platen/template/start.ts'
import type { TestNatsServer } from '../nats-server.ts'
import { notifierConfig } from '../notifier/platen.ts'
import { startBackingServices } from '../start-backing-services.ts'
import { FakeRenderer } from './fake-renderer.ts'

export const apiKey = 'test-key-of-the-gateway-0123456789'

export interface Call {
  body?: unknown
  /** Sent unchanged. */
  rawBody?: string | Buffer
  headers?: Record<string, string>
  /** `null` sends no key. */
  key?: string | null
  /** Of a response with server-sent events only the first is read: it may not end. */
  firstEvent?: boolean
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
  bytes: Buffer
}

export interface TestGateway extends AsyncDisposable {
  url: string
  dataDir: string
  services: BackingServices
  nats: TestNatsServer
  renderer: FakeRenderer
  /** Starts it with other backing services than those of the test, if any are given. */
  startTemplateService(changed?: Partial<BackingServices>): Promise<void>
  stopTemplateService(): Promise<void>
  startNotifier(changes?: Partial<NotifierConfig>): Promise<AsyncDisposable>
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Issues a key of the default owner. */
  issueKey(...scopes: Scope[]): Promise<string>
  /** Issues a key of an owner. */
  issueKeyOf(ownerId: string, ...scopes: Scope[]): Promise<string>
  /** Starts another gateway on the same backing services. */
  startAnother(config?: Partial<GatewayConfig>): Promise<RunningGateway>
}

export const testConfig: Omit<GatewayConfig, 'dataDir'> = {
  port: 0,
  host: '127.0.0.1',
  gotenbergPort: undefined,
  gotenbergAuth: 'key',
  gotenbergHosts: [],
  gotenbergFlags: {
    rootPath: '/',
    traceHeader: 'Gotenberg-Trace',
    metrics: undefined,
    downloads: true,
    chromiumRoutes: true,
    pdfRoutes: true,
    scripts: true,
    webhooks: 'async',
  },
  publicUrl: undefined,
  signingSecret: 'a secret that is long enough for tests',
  apiKey,
  rateLimitPerMinute: 0,
  maxQueued: 1_000,
  // No busy machine takes that long.
  syncTimeoutMs: 120_000,
  fileUrlTtlS: 3_600,
  webhookAllowPrivate: false,
  corsOrigins: [],
  viewRetentionDays: 0,
  retainInputDays: 0,
  retainInputMaxDays: 30,
  docs: 'on',
  studio: 'on',
  sessionTtlS: 43_200,
  trustProxy: false,
  idleGraceMs: 0,
  assets: { bytes: 5 * 2 ** 20, count: 1_000, totalBytes: 500 * 2 ** 20, references: 3_000 },
}

/** A gateway with nats-server, SQLite, an object folder and the template service. Only the renderer is a fake. */
export async function startTestGateway(config: Partial<GatewayConfig> = {}): Promise<TestGateway> {
  await using resources = new AsyncDisposableStack()
  const { services, nats, folder: dataDir } = resources.use(await startBackingServices())
  let template: AsyncDisposable | undefined
  const startTemplateService = async (changed: Partial<BackingServices> = {}) => {
    template = await startTemplate({ ownHelpers: false }, { ...services, ...changed })
  }
  const stopTemplateService = async () => template?.[Symbol.asyncDispose]()
  resources.defer(stopTemplateService)
  await startTemplateService()
  const renderer = resources.use(new FakeRenderer(services))
  const gateway = resources.use(await startGateway({ ...testConfig, dataDir, ...config }, services))
  const issueKeyOf = async (ownerId: string, ...scopes: Scope[]) => {
    const key = newApiKey()
    await issueApiKey(services.store, {
      key,
      name: 'test',
      scopes: scopes.length > 0 ? scopes : allScopes,
      ownerId,
    })
    await eventually(async () => {
      const { status } = await callGateway(gateway.url, 'GET', '/v1/nothing', { key })
      if (status !== 404) throw new Error('the key is not in the view yet')
    })
    return key
  }
  const running = resources.move()
  return {
    url: gateway.url,
    dataDir,
    services,
    nats,
    renderer,
    startTemplateService,
    stopTemplateService,
    startNotifier: (changes = {}) =>
      startNotifier({ ...notifierConfig(join(dataDir, 'notifier')), ...changes }, services),
    call: (method, path, call) => callGateway(gateway.url, method, path, call),
    issueKey: (...scopes) => issueKeyOf(defaultOwnerId, ...scopes),
    issueKeyOf,
    startAnother: (other) =>
      startGateway(
        { ...testConfig, dataDir: join(dataDir, randomUUID()), ...config, ...other },
        { ...services, instance: `test-${randomUUID()}` },
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export async function callGateway(url: string, method: string, path: string, call: Call = {}): Promise<Answer> {
  const { body, rawBody, headers = {}, key = apiKey, firstEvent = false } = call
  const response = await fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...((body !== undefined || rawBody !== undefined) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(rawBody !== undefined && { body: typeof rawBody === 'string' ? rawBody : new Uint8Array(rawBody) }),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const bytes = firstEvent && isStream ? await readFirstEvent(response) : Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
  }
}

async function readFirstEvent({ body }: Response): Promise<Buffer> {
  let text = ''
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('\n\n')) break
  }
  return Buffer.from(text)
}

/** Repeats the attempt until it succeeds. After two minutes, throws its last error. */
export async function eventually<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (const until = Date.now() + 120_000; ; ) {
    try {
      return await attempt()
    } catch (err) {
      if (Date.now() > until) throw err
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
