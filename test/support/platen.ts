import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entryPoint = fileURLToPath(new URL('../../deploy/single-node/src/main.ts', import.meta.url))

export interface Platen extends AsyncDisposable {
  url: string
  natsUrl: string
  apiKey: string
  dataDir: string
  /** All that it has printed since its last start. */
  output(): string
  /** A request with the API key; a body that is an object goes as JSON. */
  request(path: string, init?: PlatenRequest): Promise<Response>
  /** `kill -9` of its whole process group. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. Returns its exit code. */
  stop(): Promise<number | null>
  /** Starts it again on the same data folder and ports. */
  start(): Promise<void>
}

export type PlatenRequest = Omit<RequestInit, 'body'> & { body?: unknown; headers?: Record<string, string> }

/** The real thing, as `npm start` runs it, on free ports and a data folder of its own. */
export async function startPlaten(env: Record<string, string> = {}): Promise<Platen> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'))
  const [port, natsPort] = await freePorts(2)
  const apiKey = 'pk_0123456789abcdefghijklmnopqrstuvwxyz'
  const url = `http://127.0.0.1:${port}`
  const settings = {
    PORT: String(port),
    NATS_PORT: String(natsPort),
    DATA_DIR: dataDir,
    API_KEY: apiKey,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  }
  let running = await launch(settings)

  return {
    url,
    natsUrl: `nats://127.0.0.1:${natsPort}`,
    apiKey,
    dataDir,
    output: () => running.output(),
    request: (path, init = {}) => request(new URL(path, url), apiKey, init),
    async kill() {
      process.kill(-(running.child.pid ?? 0), 'SIGKILL')
      await running.exited
    },
    async stop() {
      running.child.kill('SIGTERM')
      await running.exited
      return running.child.exitCode
    },
    async start() {
      running = await launch(settings)
    },
    async [Symbol.asyncDispose]() {
      if (running.child.exitCode === null && running.child.signalCode === null) {
        running.child.kill('SIGTERM')
        await running.exited
      }
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Running {
  child: ChildProcess
  exited: Promise<unknown>
  output(): string
}

/** Resolves once it says that it is ready; rejects with what it printed when it ends instead. */
export async function launch(settings: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [entryPoint], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  const exited = once(child, 'close')
  const ready = new Promise<void>((resolve) => {
    const listen = (chunk: Buffer) => {
      printed += chunk
      if (printed.includes('Platen is ready')) resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
  })
  await Promise.race([ready, exited])
  if (!printed.includes('Platen is ready')) throw new Error(`Platen did not start:\n${printed}`)
  return { child, exited, output: () => printed }
}

function request(url: URL, apiKey: string, { body, headers, ...init }: PlatenRequest): Promise<Response> {
  return fetch(url, {
    ...init,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Ports that nobody listens on, all held until all are found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
