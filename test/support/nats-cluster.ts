import { fileURLToPath } from 'node:url'
import { connect } from 'nats'
import { freePorts } from './free-port.ts'
import { startNatsServer, type TestNatsServer } from './nats-server.ts'
import { until } from './until.ts'

export interface TestNatsCluster extends AsyncDisposable {
  /** The URLs of all servers, separated by commas. */
  url: string
  servers: readonly TestNatsServer[]
  /** The index of the server that leads the stream; without a name, of the one that leads the cluster. */
  leaderOf(stream?: string): Promise<number>
  /** Resolves when every server is ready, and has all messages of its streams: then the next one may be stopped. */
  untilCurrent(): Promise<void>
}

const size = 3
const configuration = fileURLToPath(new URL('nats-cluster.conf', import.meta.url))

/** Starts three servers with JetStream that form a cluster. Resolves when it has a leader. */
export async function startNatsCluster(): Promise<TestNatsCluster> {
  await using resources = new AsyncDisposableStack()
  const ports = await freePorts(2 * size)
  const monitors = ports.slice(size)
  const routes = ports
    .slice(0, size)
    .map((port) => `nats://127.0.0.1:${port}`)
    .join()
  const servers = await Promise.all(
    monitors.map(async (monitor, at) => {
      const cluster = ['--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${ports[at]}`, '--routes', routes]
      return resources.use(await startNatsServer(['-c', configuration, '-n', `n${at}`, '-m', `${monitor}`, ...cluster]))
    }),
  )
  const url = servers.map((server) => server.url).join()
  const leaderOf = (stream?: string) =>
    until(async () => {
      for (const [at, server] of servers.entries()) {
        const known = stream === undefined ? leaderOfCluster(monitors[at]) : leaderKnownTo(server.url, stream)
        const name = await known.catch(() => undefined)
        if (name) return Number(name.slice(1))
      }
      return undefined
    }, 'there is no leader')
  const untilCurrent = async () => {
    for (const monitor of monitors)
      await until(() => isCurrent(monitor), `the server of port ${monitor} is not current`)
  }
  await until(
    async () => (await knowsAll(monitors[await leaderOf()])) || undefined,
    'the leader does not know all servers',
  )
  const running = resources.move()
  return { url, servers, leaderOf, untilCurrent, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

interface MetaCluster {
  leader?: string
  /** The other servers, as the leader sees them. */
  replicas?: { current: boolean; offline?: boolean }[]
}

async function metaCluster(monitor: number | undefined): Promise<MetaCluster | undefined> {
  const answer = await fetch(`http://127.0.0.1:${monitor}/jsz`)
  return ((await answer.json()) as { meta_cluster?: MetaCluster }).meta_cluster
}

const leaderOfCluster = async (monitor: number | undefined) => (await metaCluster(monitor))?.leader

/** A stream with three replicas can be created only then. */
async function knowsAll(monitor: number | undefined): Promise<boolean> {
  const { replicas = [] } = (await metaCluster(monitor).catch(() => undefined)) ?? {}
  return replicas.length === size - 1 && replicas.every(({ current, offline }) => current && !offline)
}

/** What the operator of a cluster waits for: https://docs.nats.io/running-a-nats-service/nats_admin/upgrading_cluster */
async function isCurrent(monitor: number): Promise<true | undefined> {
  const answer = await fetch(`http://127.0.0.1:${monitor}/healthz`).catch(() => undefined)
  return answer?.ok || undefined
}

async function leaderKnownTo(url: string, stream: string): Promise<string | undefined> {
  const nats = await connect({ servers: url.replace('nats://', ''), timeout: 500, reconnect: false })
  try {
    const manager = await nats.jetstreamManager({ timeout: 500 })
    return (await manager.streams.info(stream)).cluster?.leader
  } finally {
    await nats.close()
  }
}
