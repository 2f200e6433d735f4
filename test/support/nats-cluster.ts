import { fileURLToPath } from 'node:url'
import { connect } from 'nats'
import { freePorts } from './free-port.ts'
import { startNatsServer, type TestNatsServer } from './nats-server.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { until } from './until.ts'

export interface TestNatsCluster extends AsyncDisposable {
  /** The URLs of all servers, separated by commas. */
  url: string
  /** Those of proxies before the servers. They are the only ones that clients learn of. */
  clientsUrl: string
  /** Transmits nothing between a server and the others, and its clients unless they are spared. */
  cutOff(at: number, options?: { clients: boolean }): void
  rejoin(at: number): void
  /** Resolves when each stream has a leader among the other servers, with those leaders. */
  untilLed(without: number): Promise<string>
  servers: readonly TestNatsServer[]
  /** The index of the server that leads the stream; without a name, of the one that leads the cluster. */
  leaderOf(stream?: string): Promise<number>
  /** Resolves when every server is ready, and has all messages of its streams: then the next one may be stopped. */
  untilCurrent(): Promise<void>
}

const size = 3
const configuration = fileURLToPath(new URL('nats-cluster.conf', import.meta.url))

/** Ports that nothing listens on: a server that learned the address of another one would connect past the proxies. */
const nowhere = ['127.0.0.1:1', '127.0.0.1:2'] as const

/** Starts three servers with JetStream that form a cluster. Resolves when it has a leader. `storeDirs` replaces the folder of a store. */
export async function startNatsCluster({
  storeDirs = {},
}: {
  storeDirs?: Record<number, string>
} = {}): Promise<TestNatsCluster> {
  await using resources = new AsyncDisposableStack()
  const ports = await freePorts(2 * size)
  const monitors = ports.slice(size)
  const routes = new Map<string, TcpProxy>()
  // Of each two servers one connects: if both did, one of the connections would be closed, and what is on it lost.
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < from; to++) {
      routes.set(`${from} ${to}`, resources.use(await startTcpProxy(ports[to] ?? 0)))
    }
  }
  const servers = await Promise.all(
    monitors.map(async (monitor, at) => {
      const others = [...routes]
        .filter(([pair]) => pair.startsWith(`${at} `))
        .map(([, { port }]) => `127.0.0.1:${port}`)
      // By the number of its routes a server knows how large the cluster is.
      const addresses = [...others, ...nowhere].slice(0, size - 1)
      const cluster = [
        ...['--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${ports[at]}`, '--cluster_advertise', nowhere[0]],
        ...['--routes', addresses.map((address) => `nats://${address}`).join(), '--no_advertise'],
        ...(storeDirs[at] === undefined ? [] : ['-sd', storeDirs[at]]),
      ]
      return resources.use(await startNatsServer(['-c', configuration, '-n', `n${at}`, '-m', `${monitor}`, ...cluster]))
    }),
  )
  const url = servers.map((server) => server.url).join()
  const clients: TcpProxy[] = []
  for (const server of servers) clients.push(resources.use(await startTcpProxy(Number(new URL(server.url).port))))
  const linksOf = (at: number, { clients: withClients }: { clients: boolean }) => [
    ...[...routes].filter(([pair]) => pair.split(' ').includes(`${at}`)).map(([, proxy]) => proxy),
    ...clients.filter((_, of) => withClients && of === at),
  ]
  const untilLed = (without: number) =>
    until(async () => {
      const [survivor] = servers.filter((_, at) => at !== without)
      return survivor && (await leadersOf(survivor.url, `n${without}`).catch(() => undefined))
    }, 'some streams have no leader')
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
  await until(() => createsStream(url).catch(() => undefined), 'no stream with replicas can be created')
  const running = resources.move()
  return {
    url,
    servers,
    leaderOf,
    untilCurrent,
    clientsUrl: clients.map(({ port }) => `nats://127.0.0.1:${port}`).join(),
    cutOff(at, options = { clients: true }) {
      for (const link of linksOf(at, options)) link.silent = true
    },
    rejoin(at) {
      for (const link of linksOf(at, { clients: true })) {
        link.silent = false
        // Bytes were lost, so the connections are of no use.
        link.cut()
      }
    },
    untilLed,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The leader of each stream; undefined if one has none or this server. A stream without a leader does not answer. */
async function leadersOf(url: string, without: string): Promise<string | undefined> {
  const nats = await connect({ servers: url.replace('nats://', ''), timeout: 2_000, reconnect: false })
  try {
    const manager = await nats.jetstreamManager({ timeout: 2_000, checkAPI: false })
    const names: string[] = []
    for await (const name of manager.streams.names()) names.push(name)
    const leaders: string[] = []
    for (const name of names.sort()) {
      const leader = (await manager.streams.info(name)).cluster?.leader
      if (!leader || leader === without) return undefined
      leaders.push(`${name} ${leader}`)
    }
    return leaders.length > 0 ? leaders.join() : undefined
  } finally {
    await nats.close()
  }
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

/** Until the servers know of each other's subscriptions, a request may be lost. */
async function createsStream(url: string): Promise<true> {
  const nats = await connect({ servers: url.replaceAll('nats://', '').split(','), timeout: 2_000, reconnect: false })
  try {
    const manager = await nats.jetstreamManager({ timeout: 2_000, checkAPI: false })
    const name = 'created-at-start'
    await manager.streams.add({ name, subjects: [name], num_replicas: size })
    await manager.streams.delete(name)
    return true
  } finally {
    await nats.close()
  }
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
