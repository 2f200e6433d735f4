import type { TestNatsCluster } from '../../../support/nats-cluster.ts'
import type { NamedFault, Scene } from '../nemesis.ts'
import { type Election, untilRecovered } from './elections.ts'
import type { EventStoreNodes } from './event-store-nodes.ts'

/** The engines of a system of which each has three nodes. */
export interface Cluster {
  nats: TestNatsCluster
  events: EventStoreNodes
}

/** A node that was just struck. */
export interface Struck {
  /** Resolves when the others have elected leaders, with those leaders. */
  elected(): Promise<string>
  /** Lets the node back. Resolves when it takes part again. */
  lift(): Promise<unknown>
}

/** A fault of a system whose engines have three nodes each. Nothing else is done to it meanwhile. */
export function inCluster(name: string, act: (cluster: Cluster, scene: Scene) => Promise<unknown>): NamedFault {
  return {
    name,
    alone: true,
    possible: ({ cluster }) => cluster !== undefined,
    inflict: async (scene) => (scene.system.cluster ? act(scene.system.cluster, scene) : false),
  }
}

/** Strikes a node, and lets it back only when each gateway has worked without it: an outage is as long as an election. */
export function away(name: string, strike: (cluster: Cluster, scene: Scene) => Promise<Struck>): NamedFault {
  return inCluster(name, async (cluster, scene): Promise<Election> => {
    const { system, workload } = scene
    const struck = await strike(cluster, scene)
    try {
      const leaders = await struck.elected()
      const electedMs = Date.now()
      const recoveredMs = await untilRecovered(system, workload.client, electedMs)
      // So that there are requests after that.
      if (recoveredMs !== null) await untilRecovered(system, workload.client, recoveredMs)
      const liftedMs = Date.now()
      const again = (await struck.elected()) !== leaders
      return { electedMs, recoveredMs, liftedMs, again }
    } finally {
      await struck.lift()
    }
  })
}
