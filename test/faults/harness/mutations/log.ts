import type { Mutation } from './mutation.ts'

export const log: readonly Mutation[] = [
  {
    guard: 'a relay goes on after an event is published',
    file: 'shared/service-kit/src/relay/publish-partition.ts',
    find: 'isDivided ? floor : checkpoint.position)',
    replace: 'isDivided ? floor : checkpoint.position).catch(() => 0)',
    // A publication is tried again for four seconds.
    faults: ['nats-server is suspended', 'nats-server is suspended'],
    patience: 3,
    test: 'shared/service-kit/src/relay/relay.test.ts',
    invariant: 'E',
  },
  {
    guard: 'a message of EVENTS names the last one of its subject',
    file: 'shared/service-kit/src/relay/publish-in-order.ts',
    find: 'headers, lastSequence: last?.seq ?? 0 }',
    replace: 'headers }',
    faults: [],
    test: 'shared/service-kit/src/relay/partitions.test.ts',
    invariant: 'test',
  },
  {
    guard: 'what was recorded before the first start of a relay is published',
    file: 'shared/service-kit/src/relay/resume-point.ts',
    find: '(await logEndAtJoin(bus)) ?? (await store.end())',
    replace: 'await store.end()',
    faults: [],
    test: 'shared/service-kit/src/relay/first-start.test.ts',
    invariant: 'E',
  },
  {
    guard: 'a read whose caller stops at its last event is not cancelled',
    file: 'shared/event-store/src/adapters/eventstoredb/read.ts',
    find: 'if (last) yield last\n        last = object',
    replace: 'yield object',
    faults: [],
    test: 'shared/event-store/src/adapters/eventstoredb/faults.test.ts',
    invariant: 'test',
  },
  {
    guard: 'the leader of a cluster is looked for again when it does not answer',
    file: 'shared/event-store/src/adapters/eventstoredb/leader-client.ts',
    find: 'this.#trustedUntil = performance.now() + trustMs\n    this.#members',
    replace: 'this.#trustedUntil = Number.POSITIVE_INFINITY\n    this.#members',
    also: [
      {
        file: 'shared/event-store/src/adapters/eventstoredb/leader-client.ts',
        find: 'if (client === this.#client && this.mayBeDeposed) this.#trustedUntil = 0',
        replace: '',
      },
    ],
    faults: [],
    test: 'shared/event-store/src/adapters/eventstoredb/cluster.test.ts',
    invariant: 'test',
  },
  {
    guard: 'a read of a revision is not answered by a leader that lacks it',
    file: 'shared/event-store/src/adapters/eventstoredb/read.ts',
    find: "leader.mayBeDeposed && backwards && typeof from === 'number' ? from : undefined",
    replace: 'undefined as number | undefined',
    faults: [],
    test: 'shared/event-store/src/adapters/eventstoredb/cluster.test.ts',
    invariant: 'test',
  },
]
