import type { Mutation } from './mutation.ts'

const killedAfterSchedule = 'a notifier is killed after it has scheduled a webhook, before the ack'
const lostRedeliveries = 'replies to redeliveries are lost'

export const deliveries: readonly Mutation[] = [
  {
    guard: 'the id of a webhook derives from its event and URL',
    file: 'shared/domain/src/delivery/delivery-record.ts',
    find: "hashedId('msg', eventId, url, ",
    replace: "hashedId('msg', eventId, url, crypto.randomUUID(), ",
    faults: [killedAfterSchedule, killedAfterSchedule],
    test: 'services/notifier/src/start.test.ts',
    invariant: 'I6',
    says: ' ids',
  },
  {
    guard: 'a webhook is sent again after a crash',
    file: 'services/notifier/src/handlers/attempt-delivery.ts',
    find: 'const taken = await dependencies.claims.take(due.id, due.attempt)',
    replace:
      "const taken = await dependencies.claims.take(due.id, due.attempt)\n  if ('times' in taken && taken.times > 1) return 3_600_000",
    faults: ['both notifiers are killed during a POST'],
    invariant: 'I6',
    says: 'was not received',
  },
  {
    guard: 'the signature covers the timestamp',
    file: 'services/notifier/src/webhook/sign.ts',
    find: 'timestampS}.',
    replace: "''}.",
    faults: [],
    single: true,
    test: 'services/notifier/src/webhook/sign.test.ts',
    invariant: 'I6',
    says: 'signature',
  },
  {
    guard: 'a redelivery has an attempt number of its own',
    file: 'shared/domain/src/delivery/redeliver.ts',
    find: "(state.status === 'pending' ? state.attempt : state.attempts) + 1",
    replace: "state.status === 'pending' ? state.attempt : state.attempts + 1",
    faults: [],
    single: true,
    invariant: 'I6',
  },
  {
    guard: 'each start of a process has an identity of its own',
    file: 'shared/service-kit/src/host/backing-services.ts',
    find: "randomBytes(8).toString('hex')",
    replace: '0',
    also: [
      { file: 'shared/service-kit/src/host/backing-services.ts', find: 'process.pid', replace: '1' },
      {
        file: 'services/notifier/src/schedule/attempt-claims.ts',
        find: 'before ? this.#heldForMs',
        replace: 'before && before.holder !== this.#holder ? this.#heldForMs',
      },
    ],
    faults: [],
    invariant: 'I6',
  },
  {
    guard: 'a redelivery of a range counts what the first try of its command has sent',
    file: 'services/notifier/src/handlers/redeliver-deliveries.ts',
    find: 'redeliveryStream(metadata.id)',
    replace: 'redeliveryStream(randomUUID())',
    faults: [lostRedeliveries, lostRedeliveries],
    test: 'services/notifier/src/handlers/redeliver-deliveries.test.ts',
    invariant: 'I6',
    says: 'redeliveries were answered',
  },
  {
    guard: 'a redelivery of a range that has ended after a part of it is not continued',
    file: 'services/notifier/src/handlers/redeliver-deliveries.ts',
    find: "  if (state.status === 'ended') return state.answer\n",
    replace: '',
    faults: [],
    test: 'services/notifier/src/handlers/redeliver-deliveries.test.ts',
    invariant: 'test',
  },
  {
    guard: 'two notifiers that have one command of a range send one choice',
    file: 'services/notifier/src/handlers/redeliver-deliveries.ts',
    find: 'metadata }, attempt, ...options',
    replace: 'metadata }, ...options',
    faults: [],
    test: 'services/notifier/src/handlers/redeliver-deliveries.test.ts',
    invariant: 'test',
  },
]
