import type { TestNatsCluster } from '../../../support/nats-cluster.ts'
import type { NamedFault, Scene } from '../nemesis.ts'
import { away, type Cluster, inCluster } from './away.ts'

const commands = 'COMMANDS'
const servers = [0, 1, 2]
/** The server that has a disk of its own, if there is one. */
export const withDisk = 2

const leader = ({ nats }: Cluster) => nats.leaderOf(commands)
/** A server that does not lead the commands. */
const follower = async ({ nats }: Cluster, { random }: Scene) => {
  const leading = await nats.leaderOf(commands)
  return random.pick(servers.filter((at) => at !== leading))
}

type Act = (nats: TestNatsCluster, at: number) => unknown

interface Loss {
  who: (cluster: Cluster, scene: Scene) => Promise<number>
  strike: Act
  lift: Act
}

function lost(name: string, { who, strike, lift }: Loss): NamedFault {
  return away(name, async (cluster, scene) => {
    const { nats } = cluster
    const at = await who(cluster, scene)
    await strike(nats, at)
    return {
      elected: () => nats.untilLed(at),
      async lift() {
        await lift(nats, at)
        await nats.untilCurrent()
      },
    }
  })
}

const kill: Act = (nats, at) => nats.servers[at]?.stop()
const restart: Act = (nats, at) => nats.servers[at]?.restart()
const rejoin: Act = (nats, at) => nats.rejoin(at)
const signal =
  (name: NodeJS.Signals): Act =>
  (nats, at) =>
    process.kill(nats.servers[at]?.pid ?? 0, name)

const fullDisk: NamedFault = {
  name: 'the disk of a nats-server is full',
  alone: true,
  needsDisk: true,
  possible: ({ cluster, disk }) => cluster !== undefined && disk !== undefined,
  inflict(scene) {
    const { disk } = scene.system
    const { inflict } = lost(fullDisk.name, {
      who: async () => withDisk,
      strike: () => disk?.fill(),
      // After a write error a server refuses writes until its operator restarts it.
      async lift(nats, at) {
        await disk?.drain()
        await nats.servers[at]?.restart()
      },
    })
    return inflict(scene)
  },
}

/** Faults of three nats-servers with three replicas of each stream. */
export const natsFaults: readonly NamedFault[] = [
  lost('the nats-server that leads the commands is killed', { who: leader, strike: kill, lift: restart }),
  lost('another nats-server is killed', { who: follower, strike: kill, lift: restart }),
  lost('the nats-server that leads the commands is suspended', {
    who: leader,
    strike: signal('SIGSTOP'),
    lift: signal('SIGCONT'),
  }),
  lost('the nats-server that leads the commands is cut off from the others and its clients', {
    who: leader,
    strike: (nats, at) => nats.cutOff(at),
    lift: rejoin,
  }),
  lost('the nats-server that leads the commands is cut off from the others, and not from its clients', {
    who: leader,
    strike: (nats, at) => nats.cutOff(at, { clients: false }),
    lift: rejoin,
  }),
  fullDisk,
  inCluster('each nats-server is upgraded', async ({ nats }) => {
    for (const server of nats.servers) {
      // What `nats-server --signal ldm` sends.
      await server.stop('SIGUSR2')
      await server.restart()
      await nats.untilCurrent()
    }
  }),
]
