import { Type } from 'typebox'

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 printable characters, kept for 24 h. The same key with the same body has the same answer (`idempotency-replayed: true`).',
    }),
  ),
})

export const replayedHeader = 'idempotency-replayed'
