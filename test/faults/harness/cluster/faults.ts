import type { NamedFault } from '../nemesis.ts'
import { eventStoreFaults } from './event-store-faults.ts'
import { natsFaults } from './nats-faults.ts'

const isCluster: NamedFault['possible'] = ({ cluster }) => cluster !== undefined

/** Faults of a system whose engines have three nodes each: a node is away until everything works without it. */
export const clusterFaults: readonly NamedFault[] = [
  ...natsFaults,
  ...eventStoreFaults,
  {
    name: 'each process of the services is upgraded',
    alone: true,
    possible: isCluster,
    async inflict({ system: { targets } }) {
      for (const target of targets) await target.replace?.()
    },
  },
]
