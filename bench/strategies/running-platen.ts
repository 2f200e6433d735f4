import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../test/support/free-port.ts'
import { natsServerPath } from '../../test/support/nats-server.ts'
import { launchPlaten, testApiKey } from '../../test/support/platen.ts'
import { type HttpAnswer, type HttpClient, openHttpClient } from './http-client.ts'

const compileCache = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))

export interface RunningPlaten extends AsyncDisposable {
  pid: number
  url: string
  apiKey: string
  dataDir: string
  client: HttpClient
  /** The log so far. */
  output(): string
}

/** Starts what `npm start` runs, with its own data folder unless DATA_DIR is given. */
export async function openPlaten(settings: Record<string, string> = {}, entryPoint?: string): Promise<RunningPlaten> {
  const [port, natsPort] = await freePorts(2)
  const dataDir = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'platen-bench-')))
  const given = {
    PORT: String(port),
    NATS_PORT: String(natsPort),
    API_KEY: testApiKey,
    LOG_LEVEL: 'info',
    MAX_QUEUED: '20000',
    NATS_SERVER_PATH: natsServerPath,
    // The same values as in scripts/dev.sh.
    MALLOC_ARENA_MAX: '2',
    NODE_OPTIONS: '--max-semi-space-size=8',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache,
    ...settings,
    DATA_DIR: dataDir,
  }
  const running = await launchPlaten(given, { entryPoint })
  const url = `http://127.0.0.1:${port}`
  const client = openHttpClient(url, { authorization: `Bearer ${testApiKey}` })
  return {
    pid: running.child.pid ?? 0,
    url,
    apiKey: testApiKey,
    dataDir,
    client,
    output: running.output,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await running.end()
      if (settings.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export interface GenerationAnswer {
  id: string
  status: string
  size?: number
  duration_ms?: number
}

/** The body of the answer. Throws an error with the body if the status is another one. */
export function expectAnswer(answer: HttpAnswer, status: number): GenerationAnswer {
  const text = answer.body.toString()
  if (answer.status !== status) throw new Error(`Platen answered ${answer.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}
