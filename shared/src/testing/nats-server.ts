import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface TestNatsServer extends AsyncDisposable {
  url: string
  pid: number
  /** Kills it hard and starts it again on the same port and store. */
  restart(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** A real nats-server with JetStream on a free port, its store in a folder of its own. */
export async function startNatsServer(): Promise<TestNatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-nats-'))
  let running = await launch(folder, '-1')
  const { port } = running
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    running.child.kill(signal)
    await running.exited
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return running.child.pid ?? 0
    },
    stop,
    async restart() {
      await stop()
      running = await launch(folder, port)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function launch(folder: string, port: string) {
  const path = `${process.env.PATH}:/usr/sbin`
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', port, '-js', '-sd', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: path },
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let actualPort = port
  for await (const line of createInterface({ input: child.stderr })) {
    actualPort = /Listening for client connections on [^:]+:(\d+)/.exec(line)?.[1] ?? actualPort
    if (line.includes('Server is ready')) break
  }
  if (child.exitCode !== null) throw new Error('nats-server did not start')
  child.stderr.resume()
  return { child, exited, port: actualPort }
}
