import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import {
  embeddedNatsConfig,
  embeddedNatsPath,
  embeddedNatsUrl,
  type NatsPasswords,
  readEmbeddedNats,
  servicesAccount,
  servicesUser,
} from '@platen/shared/host/embedded-nats.ts'
import type { Environment } from '@platen/shared/runtime/config.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { sleep } from '@platen/shared/runtime/sleep.ts'
import { writePrivateFile } from './data-dir.ts'

const program = 'nats-server'
const setpriv = '/usr/bin/setpriv'
const readyWithinMs = 15_000

export interface NatsChild extends AsyncDisposable {
  url: string
  /** The settings with which the services connect to it. */
  settings: Environment
}

/** Runs a nats-server with JetStream in `<dataDir>/nats`, and starts it again if it exits. */
export async function startNatsChild(dataDir: string, wantedPort: number, log: Logger): Promise<NatsChild> {
  const port = await usablePort(wantedPort)
  if (port !== wantedPort) log.warn({ wantedPort, port }, 'NATS port in use, using another')
  const passwords = (await readEmbeddedNats(dataDir))?.passwords ?? newPasswords()
  const config = await writeConfig({ dataDir, port, passwords }, log)
  const stop = new AbortController()
  let child = await launch(config, log)

  const supervise = async () => {
    for (;;) {
      await exited(child)
      if (stop.signal.aborted) return
      log.error({ code: child.exitCode, signal: child.signalCode }, 'nats-server exited, restarting')
      await sleep(250, stop.signal)
      child = await launch(config, log).catch((err) => {
        log.error({ err }, 'nats-server did not start, retrying')
        return child
      })
    }
  }
  const supervised = supervise()
  const url = embeddedNatsUrl(port)
  return {
    url,
    settings: {
      NATS_URL: url,
      NATS_USER: servicesUser,
      NATS_PASSWORD: passwords.services,
      NATS_TOKEN: undefined,
      NATS_CREDS: undefined,
      NATS_CA: undefined,
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      child.kill('SIGTERM')
      await supervised
    },
  }
}

function newPasswords(): NatsPasswords {
  const password = () => randomBytes(24).toString('base64url')
  return { services: password(), subscriber: password() }
}

interface ChildConfig {
  dataDir: string
  port: number
  passwords: NatsPasswords
}

async function writeConfig({ dataDir, port, passwords }: ChildConfig, log: Logger): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version']).catch((cause) => {
    throw new Error(`${program} cannot be run: install Debian's package nats-server, or set NATS_URL`, { cause })
  })
  const [, major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number)
  const syncAlways = major > 2 || (major === 2 && minor >= 10)
  if (!syncAlways) {
    log.warn(`${stdout.trim()} flushes to disk every two minutes; a power cut (not a crash) can lose queued commands`)
  }
  const path = embeddedNatsPath(dataDir)
  const storeDir = join(dataDir, 'nats')
  await adoptStreams(join(storeDir, 'jetstream'))
  await writePrivateFile(path, embeddedNatsConfig({ port, passwords, storeDir, syncAlways }))
  return path
}

/** Versions without accounts kept the streams in the folder of the server's global account. */
async function adoptStreams(folder: string): Promise<void> {
  const [earlier, current] = [join(folder, '$G'), join(folder, servicesAccount)]
  if (!(await exists(earlier)) || (await exists(current))) return
  await rename(earlier, current)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function launch(config: string, log: Logger): Promise<ChildProcess> {
  // Its own process group, so that Ctrl-C does not stop it before the services. setpriv makes the kernel kill it when
  // this process is killed.
  const guarded = await exists(setpriv)
  const command = guarded ? [setpriv, '--pdeathsig', 'KILL', program] : [program]
  const [file = program, ...args] = [...command, '-c', config]
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: guarded })
  const lines = createInterface({ input: child.stderr })
  const ready = new Promise<void>((resolve, reject) => {
    const last: string[] = []
    lines.on('line', (line) => {
      log.debug({ line }, 'nats-server')
      last.push(line.replace(/^\[\d+\] \S+ \S+ /, ''))
      if (line.includes('Server is ready')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`nats-server exited: ${last.slice(-2).join(' ')}`)))
    setTimeout(() => reject(new Error('nats-server was not ready within 15 s')), readyWithinMs).unref()
  })
  await ready.catch((err) => {
    child.kill('SIGKILL')
    throw err
  })
  return child
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** The wanted port if it is free, otherwise any free port. */
async function usablePort(wanted: number): Promise<number> {
  return (await listenOnce(wanted)) ?? (await listenOnce(0)) ?? wanted
}

async function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' ? address?.port : undefined
  } catch {
    return undefined
  } finally {
    server.close()
  }
}
