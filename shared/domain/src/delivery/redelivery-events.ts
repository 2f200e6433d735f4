import { hashedId } from '@platen/foundation/runtime/ids.ts'
import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Count, Text } from '../events/fields.ts'

// The redelivery of a range has a stream for each command, so that a command that is delivered again sends the same
// deliveries and has the same answer.

const redelivery = { category: 'redelivery' } as const

export const redeliveryStream = (commandId: string) => `redelivery-${hashedId('red', commandId)}`

const id = 'red_5x0w8z7v3d2e8f0g2h4j6k8m0a'
const next_since = '2026-01-31T12:00:00.000Z'

/** Recorded before the first delivery is sent again. */
export const RedeliveryBegun = defineEvent({
  type: 'RedeliveryBegun',
  aggregate: redelivery,
  summary: 'The deliveries of a range were chosen, to be sent again.',
  data: Type.Object({
    owner_id: Text,
    /** Oldest first. */
    deliveries: Type.Array(
      Type.Object({
        id: Text,
        /** When it was scheduled at first, ISO 8601. */
        at: Text,
      }),
    ),
    /** Set if the range has more deliveries, from this time on. */
    next_since: Type.Optional(Text),
  }),
  describe: ({ deliveries, next_since }) => [
    'redelivery of a range begun',
    `${deliveries.length} webhooks`,
    next_since && `more from ${next_since} on`,
  ],
  example: {
    id,
    data: {
      owner_id: 'own_default',
      deliveries: [{ id: 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0', at: '2026-01-31T08:00:00.000Z' }],
      next_since,
    },
  },
})
export type RedeliveryBegun = Recorded<typeof RedeliveryBegun>

/** The answer to the command. Earlier versions ended with fewer deliveries than were chosen, if they took too long. */
export const RedeliveryEnded = defineEvent({
  type: 'RedeliveryEnded',
  aggregate: redelivery,
  summary: 'The deliveries of a range were sent again.',
  data: Type.Object({ redelivered: Count, next_since: Type.Optional(Text) }),
  describe: ({ redelivered, next_since }) => [
    'redelivery of a range ended',
    `${redelivered} webhooks`,
    next_since && `more from ${next_since} on`,
  ],
  example: { id, data: { redelivered: 1, next_since } },
})
export type RedeliveryEnded = Recorded<typeof RedeliveryEnded>

export const redeliveryEvents = { RedeliveryBegun, RedeliveryEnded }
export type RedeliveryEvent = Recorded<(typeof redeliveryEvents)[keyof typeof redeliveryEvents]>
