import { connect } from 'nats'
import { freePorts } from './free-port.ts'
import { startNatsServer, type TestNatsServer } from './nats-server.ts'
import { until } from './until.ts'

export interface TestNatsCluster extends AsyncDisposable {
  /** The URLs of all servers, separated by commas. */
  url: string
  servers: readonly TestNatsServer[]
  /** The index of the server that leads the stream; of the whole cluster without a name. */
  leaderOf(stream?: string): Promise<number>
}

const size = 3

/** Starts three servers with JetStream that form a cluster. Resolves when it has a leader. */
export async function startNatsCluster(): Promise<TestNatsCluster> {
  await using resources = new AsyncDisposableStack()
  const ports = await freePorts(size)
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join()
  const servers = await Promise.all(
    ports.map(async (port, at) => {
      const cluster = ['--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${port}`, '--routes', routes]
      return resources.use(await startNatsServer(['-n', `n${at}`, ...cluster]))
    }),
  )
  const url = servers.map((server) => server.url).join()
  const leaderOf = (stream?: string) =>
    until(async () => {
      for (const server of servers) {
        const name = await leaderKnownTo(server.url, stream).catch(() => undefined)
        if (name !== undefined) return Number(name.slice(1))
      }
      return undefined
    }, 'there is no leader')
  await leaderOf()
  const running = resources.move()
  return { url, servers, leaderOf, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function leaderKnownTo(url: string, stream: string | undefined): Promise<string | undefined> {
  const nats = await connect({ servers: url.replace('nats://', ''), timeout: 500, reconnect: false })
  try {
    const manager = await nats.jetstreamManager({ timeout: 500 })
    if (stream === undefined) return nats.info?.server_name
    return (await manager.streams.info(stream)).cluster?.leader
  } finally {
    await nats.close()
  }
}
