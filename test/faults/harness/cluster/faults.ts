import type { NamedFault } from '../nemesis.ts'
import { inCluster } from './away.ts'
import { eventStoreFaults } from './event-store-faults.ts'
import { natsFaults } from './nats-faults.ts'

/** Faults of a system whose engines have three nodes each: a node is away until everything works without it. */
export const clusterFaults: readonly NamedFault[] = [
  ...natsFaults,
  ...eventStoreFaults,
  inCluster('each process of the services is upgraded', async (_, { system: { targets } }) => {
    for (const target of targets) await target.replace?.()
  }),
]
