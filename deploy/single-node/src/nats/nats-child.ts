import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, statfs } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Environment } from '@platen/foundation/settings/config.ts'
import {
  embeddedNatsConfig,
  embeddedNatsPath,
  embeddedNatsUrl,
  type NatsPasswords,
  readEmbeddedNats,
  servicesAccount,
  servicesUser,
} from '@platen/service-kit/host/embedded-nats.ts'
import { untilUnhealthy } from './nats-health.ts'
import { launchNats, type NatsProcess } from './nats-process.ts'
import { claimStore, isOlder, type NatsVersion, versionOf } from './nats-version.ts'

export interface NatsChildOptions {
  dataDir: string
  /** Another port is used if this one is in use. */
  port: number
  /** Path or name of the nats-server to run. */
  program: string
  log: Logger
  /** The start fails if the server makes no progress for this time. Default: 15 s. */
  stalledAfterMs?: number
  /** A server whose JetStream does not answer for this time is restarted. Default: 15 s. */
  silentForMs?: number
}

export interface NatsChild extends AsyncDisposable {
  url: string
  /** The settings with which the services connect to it. */
  settings: Environment
}

/** A server that ran longer than this before a fault is restarted at once. */
const settledAfterMs = 60_000
const minFreeBytes = 8 * 2 ** 20

/**
 * Runs a nats-server with JetStream in `<dataDir>/nats`. It is started again when it exits, when it cannot write, and
 * when JetStream does not answer.
 */
export async function startNatsChild(options: NatsChildOptions): Promise<NatsChild> {
  const { dataDir, port: wantedPort, program, log, stalledAfterMs = 15_000, silentForMs = 15_000 } = options
  const version = await versionOf(program)
  await claimStore(dataDir, version)
  const { port, reason } = await usablePort(wantedPort)
  if (reason !== undefined) log.warn({ wantedPort, port }, `NATS_PORT: ${reason}, using another port: ${port}`)
  const passwords = (await readEmbeddedNats(dataDir))?.passwords ?? newPasswords()
  const config = await writeConfig({ dataDir, port, passwords, version })
  const unused = await unusedAccounts(dataDir)
  if (unused.length > 0)
    log.warn({ folders: unused }, 'queues that an earlier Platen has left are not read; delete them')
  const launch = () => launchNats({ program, config, log, stalledAfterMs })
  const url = embeddedNatsUrl(port)
  const connection = { url, user: servicesUser, password: passwords.services }
  const stop = new AbortController()
  let child = await launch()
  log.info({ version, program, port }, 'nats-server started')

  const supervise = async () => {
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      const reason = await untilFault(child)
      if (stop.signal.aborted) return
      if (performance.now() - startedAt > settledAfterMs) attempt = 1
      log.error({ reason }, 'nats-server failed, restarting')
      await child.stop()
      child = await relaunch(attempt)
    }
  }
  const untilFault = async ({ exited }: NatsProcess) => {
    const watch = new AbortController()
    const signal = AbortSignal.any([stop.signal, watch.signal])
    const unhealthy = async () => {
      const reason = await untilUnhealthy({ connection, silentForMs, signal })
      if (!signal.aborted) await untilDiskHasSpace(dataDir, { log, signal })
      return reason
    }
    const reason = await Promise.race([exited.then((how) => `exited with ${how}`), unhealthy()])
    watch.abort()
    return reason
  }
  const relaunch = async (firstAttempt: number): Promise<NatsProcess> => {
    for (let attempt = firstAttempt; ; attempt++) {
      await sleep(backoffMs(attempt, { firstMs: 200, maxMs: 15_000 }), stop.signal)
      if (stop.signal.aborted) return child
      try {
        return await launch()
      } catch (err) {
        log.error({ err }, 'nats-server did not start, retrying')
      }
    }
  }
  const supervised = supervise()
  return {
    url,
    settings: {
      NATS_URL: url,
      NATS_USER: servicesUser,
      NATS_PASSWORD: passwords.services,
      NATS_CREDS: undefined,
      NATS_CERT: undefined,
      NATS_KEY: undefined,
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await supervised
      await child.stop()
    },
  }
}

/** On a full disk a new server could not write either, and while it starts even reading fails. */
async function untilDiskHasSpace(path: string, { log, signal }: { log: Logger; signal: AbortSignal }): Promise<void> {
  for (let looks = 0; !signal.aborted; looks++) {
    const { bavail, bsize } = await statfs(path)
    if (bavail * bsize >= minFreeBytes) return
    if (looks === 0) log.error({ path }, 'the disk is full; nats-server is restarted when it has space')
    await sleep(500, signal)
  }
}

/** The folders of accounts that the configuration does not have: those of a server without accounts are in `$G`. */
async function unusedAccounts(dataDir: string): Promise<string[]> {
  const folder = join(storeDir(dataDir), 'jetstream')
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name !== servicesAccount).map((name) => join(folder, name))
}

const storeDir = (dataDir: string) => join(dataDir, 'nats')

function newPasswords(): NatsPasswords {
  const password = () => randomBytes(24).toString('base64url')
  return { services: password(), subscriber: password() }
}

interface ChildConfig {
  dataDir: string
  port: number
  passwords: NatsPasswords
  version: NatsVersion
}

async function writeConfig({ dataDir, port, passwords, version }: ChildConfig): Promise<string> {
  const path = embeddedNatsPath(dataDir)
  const syncAlways = !isOlder(version, '2.10')
  const { blocks, bsize } = await statfs(dataDir)
  const diskBytes = blocks * bsize
  await writePrivateFile(
    path,
    embeddedNatsConfig({ port, passwords, storeDir: storeDir(dataDir), diskBytes, syncAlways }),
  )
  return path
}

/** The wanted port if it can be used. Otherwise any free port, with the reason. */
async function usablePort(wanted: number): Promise<{ port: number; reason?: string }> {
  try {
    return { port: await listenOnce(wanted) }
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE' ? `${wanted} is in use by another program` : `${wanted} cannot be used (${code})`
    return { port: await listenOnce(0), reason }
  }
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } finally {
    server.close()
  }
}
