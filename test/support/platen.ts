import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atTerminal } from './at-terminal.ts'
import { freePorts } from './free-port.ts'
import { killNow } from './kill-now.ts'
import { natsServerPath } from './nats-server.ts'
import { descendantsOf, type OtherProcess, untilGone } from './processes.ts'

export const singleNode = fileURLToPath(new URL('../../deploy/single-node/src/main.ts', import.meta.url))

/** Makes Linux end the started process when this one exits, so that an aborted test leaves nothing running. */
const setpriv = '/usr/bin/setpriv'
const untilParentExits = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'TERM'] : []

export const testApiKey = 'pk_0123456789abcdefghijklmnopqrstuvwxyz'

/** The HTTP API with a key. */
export interface PlatenClient {
  url: string
  apiKey: string
  /** Sends a request with the API key. A body makes it a POST with JSON. */
  request(path: string, init?: PlatenRequest): Promise<Response>
  /** Like `request`, with the response read as JSON. */
  json<Body = unknown>(path: string, init?: PlatenRequest): Promise<Answer<Body>>
}

export interface Platen extends PlatenClient, AsyncDisposable {
  dataDir: string
  /** Id of the running or starting process. */
  pid(): number
  /** The output since the last start. */
  output(): string
  /** Its child processes: nats-server and the browsers. */
  children(): Promise<OtherProcess[]>
  /** `kill -9` of the process group. Resolves when all child processes have exited. */
  kill(): Promise<void>
  /** Sends a signal and waits for the exit code. `group` sends it to the group, as a terminal does. */
  stop(signal?: NodeJS.Signals, to?: 'process' | 'group'): Promise<number | null>
  /** Starts it again with the same data folder and ports. */
  start(): Promise<void>
  /** Lets this process end while it runs. */
  unref(): void
}

export type PlatenRequest = Omit<RequestInit, 'body' | 'headers'> & { body?: unknown; headers?: Record<string, string> }

export interface Answer<Body> {
  status: number
  headers: Headers
  body: Body
}

/** Platen as `npm start` runs it, on free ports and with a temporary data folder, unless DATA_DIR names one. */
export async function startPlaten(env: Record<string, string> = {}, entryPoint?: string): Promise<Platen> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'platen-test-')))
  const [port, natsPort] = await freePorts(2)
  const apiKey = env.API_KEY ?? testApiKey
  const url = `http://127.0.0.1:${port}`
  const settings = {
    PORT: String(port),
    NATS_PORT: String(natsPort),
    NATS_SERVER_PATH: natsServerPath,
    DATA_DIR: dataDir,
    API_KEY: apiKey,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  }
  let child: ChildProcess | undefined
  const start = () => launchPlaten(settings, { entryPoint, onSpawn: (spawned) => (child = spawned) })
  let running = await start()
  const pid = () => child?.pid ?? 0
  const send = (path: string, init: PlatenRequest = {}) => request(new URL(path, url), apiKey, init)

  return {
    url,
    apiKey,
    dataDir,
    pid,
    output: () => running.output(),
    request: send,
    json: async (path, init) => readJson(await send(path, init)),
    children: () => descendantsOf(pid()),
    async kill() {
      const children = await descendantsOf(pid())
      killNow(-pid())
      await running.exited
      await untilGone(children)
    },
    async stop(signal = 'SIGTERM', to = 'process') {
      process.kill(to === 'group' ? -pid() : pid(), signal)
      await running.exited
      return running.child.exitCode
    },
    async start() {
      running = await start()
    },
    unref() {
      child?.unref()
      for (const stream of [child?.stdout, child?.stderr]) if (stream instanceof Socket) stream.unref()
    },
    async [Symbol.asyncDispose]() {
      await running.end()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The body of a file or another text is left out. */
export async function readJson<Body>(response: Response): Promise<Answer<Body>> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = text !== '' && /json/.test(headers.get('content-type') ?? '')
  return { status, headers, body: (isJson ? JSON.parse(text) : undefined) as Body }
}

/** `entryPoint` starts Platen with values that are no settings. */
export const launchPlaten = (
  settings: Record<string, string>,
  { entryPoint = singleNode, ...options }: LaunchOptions & { entryPoint?: string | undefined } = {},
) => launch({ entryPoint, settings, readyText: 'Platen is ready', ...options })

export interface LaunchOptions {
  /** Called before it is ready. */
  onSpawn?: ((child: ChildProcess) => void) | undefined
  /** Its outputs are a terminal. */
  isAtTerminal?: boolean
  args?: readonly string[]
}

export interface Launch extends LaunchOptions {
  entryPoint: string
  settings: Record<string, string>
  /** What it prints when it is ready. */
  readyText: string
}

export interface Running {
  child: ChildProcess
  exited: Promise<unknown>
  output(): string
  /** Ends it unless it has ended. */
  end(): Promise<void>
}

export class NotStarted extends Error {
  override readonly name = 'NotStarted'
  readonly exitCode: number | null

  constructor(printed: string, exitCode: number | null) {
    super(`it did not start:\n${printed}`)
    this.exitCode = exitCode
  }
}

/** A process group of its own. Resolves once it is ready; rejects with NotStarted when it ends instead. */
export async function launch({ entryPoint, settings, readyText, ...options }: Launch): Promise<Running> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const program = [process.execPath, entryPoint, ...(options.args ?? [])]
  const [file = '', ...args] = [...untilParentExits, ...(options.isAtTerminal ? atTerminal(program) : program)]
  const child = spawn(file, args, {
    env: {
      PATH: `${PATH}:/usr/sbin`,
      HOME,
      NATS_SERVER_PATH: natsServerPath,
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  options.onSpawn?.(child)
  let printed = ''
  const exited = once(child, 'close')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const ready = new Promise<void>((resolve) => {
    const listen = (chunk: Buffer) => {
      printed += chunk
      if (printed.includes(readyText)) resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
  })
  await Promise.race([ready, exited])
  if (!printed.includes(readyText)) throw new NotStarted(printed, child.exitCode)
  return {
    child,
    exited,
    output: () => printed,
    async end() {
      if (!hasEnded()) child.kill('SIGTERM')
      await exited
    },
  }
}

export function request(url: URL, apiKey: string, { body, headers, ...init }: PlatenRequest): Promise<Response> {
  return fetch(url, {
    ...(body !== undefined && { method: 'POST' }),
    ...init,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
