import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Where `npm start` keeps the nats-server that it has downloaded. */
const downloaded = fileURLToPath(new URL('../../node_modules/.cache/nats-server/nats-server', import.meta.url))

/** The nats-server of all tests. NATS_TEST_SERVER chooses another one. */
export const natsServerPath =
  process.env.NATS_TEST_SERVER || process.env.NATS_SERVER_PATH || (existsSync(downloaded) ? downloaded : 'nats-server')

const withDebian = (env: NodeJS.ProcessEnv) => ({ ...env, PATH: `${env.PATH}:/usr/sbin` })

/** Options of a test that fails with servers older than 2.`minor`: it is skipped there, with the reason. */
export function needsNatsServer(minor: number, instead: string): { skip?: string } {
  const text = execFileSync(natsServerPath, ['--version'], { env: withDebian(process.env), encoding: 'utf8' })
  const [, version, ofServer] = /v(2\.(\d+)\.\S+)/.exec(text) ?? []
  return Number(ofServer) < minor ? { skip: `nats-server ${version} ${instead}` } : {}
}

export interface TestNatsServer extends AsyncDisposable {
  url: string
  pid: number
  /** The folder of its store. */
  storeDir: string
  /** Kills the server and starts it again on the same port and store. */
  restart(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts nats-server with JetStream on a free port and with a temporary store. `flags` are passed to it; a
 * configuration file can refer to `env`.
 */
export async function startNatsServer(
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<TestNatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-nats-'))
  const launch = (port: string) => launchServer(['-p', port, '-sd', folder, ...flags], env)
  let running = await launch('-1')
  const { port } = running
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    running.child.kill(signal)
    await running.exited
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    storeDir: folder,
    get pid() {
      return running.child.pid ?? 0
    },
    stop,
    async restart() {
      await stop()
      running = await launch(port)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launchServer(flags: readonly string[], env: Record<string, string>) {
  const child = spawn(natsServerPath, ['-a', '127.0.0.1', '-js', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: withDebian({ ...process.env, ...env }),
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let actualPort = ''
  let last = ''
  for await (const line of createInterface({ input: child.stderr })) {
    actualPort = /Listening for client connections on [^:]+:(\d+)/.exec(line)?.[1] ?? actualPort
    last = line
    if (line.includes('Server is ready')) break
  }
  if (!last.includes('Server is ready')) throw new Error(`nats-server did not start: ${last}`)
  child.stderr.resume()
  return { child, exited, port: actualPort }
}
