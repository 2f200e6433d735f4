import { setTimeout as delay } from 'node:timers/promises'
import type { NamedFault } from '../nemesis.ts'
import { away, inCluster } from './away.ts'
import type { EventStoreNodes } from './event-store-nodes.ts'

type Node = EventStoreNodes['leader']
type Act = (events: EventStoreNodes, node: Node) => Promise<unknown>

/** What was seen of real clusters: a leader that was killed is replaced after 2 to 4 s, one that is suspended after 9 s. */
const afterKillMs = [1_800, 4_000] as const
const afterSilenceMs = [8_000, 9_500] as const
/** For so long a leader that was resumed answers from its old log. */
const deposedMs = 2_000

async function election(events: EventStoreNodes, next: Node, ms: number): Promise<void> {
  await delay(ms / 2)
  await events.loseLeader()
  await delay(ms / 2)
  await events.elect(next)
}

interface Loss {
  strike: Act
  lift: Act
  electedAfterMs: readonly [number, number]
}

function lostLeader(name: string, { strike, lift, electedAfterMs }: Loss): NamedFault {
  return away(name, async ({ events }, { random, patience }) => {
    const { leader: node, others } = events
    await strike(events, node)
    const electing = election(events, random.pick(others), random.between(...electedAfterMs) * patience)
    return {
      async elected() {
        await electing
        return 'they elect when they are told'
      },
      async lift() {
        await electing
        await lift(events, node)
        await delay(deposedMs)
        await events.catchUp()
      },
    }
  })
}

const kill: Act = (events, node) => events.kill(node)
const start: Act = (events, node) => events.start(node)

/** Faults of three nodes of a fake EventStoreDB. */
export const eventStoreFaults: readonly NamedFault[] = [
  lostLeader('the leading node of the event store is killed', {
    strike: kill,
    lift: start,
    electedAfterMs: afterKillMs,
  }),
  lostLeader('the leading node of the event store is suspended', {
    strike: (events, node) => events.suspend(node),
    lift: (events, node) => events.resume(node),
    electedAfterMs: afterSilenceMs,
  }),
  lostLeader('the leading node of the event store is cut off', {
    strike: (events, node) => events.cutOff(node),
    lift: (events, node) => events.rejoin(node),
    electedAfterMs: afterSilenceMs,
  }),
  lostLeader('the disk of the leading node of the event store is full', {
    strike: (events, node) => events.fillDisk(node),
    lift: start,
    electedAfterMs: afterKillMs,
  }),
  away('another node of the event store is killed', async ({ events }, { random }) => {
    const node = random.pick(events.others)
    await events.kill(node)
    return {
      elected: async () => 'none is needed',
      async lift() {
        await events.start(node)
        await events.catchUp()
      },
    }
  }),
  inCluster('two of three nodes of the event store are killed', async ({ events }, { random, patience }) => {
    const { leader, others } = events
    const dead = [leader, random.pick(others)]
    for (const node of dead) await events.kill(node)
    await events.loseQuorum()
    await delay(random.between(5_000, 8_000) * patience)
    for (const node of dead) await events.start(node)
    await delay(random.between(...afterKillMs) * patience)
    return events.elect(random.pick(others))
  }),
  inCluster('each node of the event store is upgraded', async ({ events }, { random, patience }) => {
    const { leader, others } = events
    // The leader last, as one election is enough.
    for (const node of [...others, leader]) {
      await events.kill(node)
      if (node === leader) await election(events, random.pick(others), random.between(...afterKillMs) * patience)
      await events.start(node)
      await events.catchUp()
    }
  }),
]
