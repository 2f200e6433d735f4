import { statedRules } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      [statedRules]: { minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
      description:
        '1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.',
      examples: ['order-4711'],
    }),
  ),
})

export const replayedHeader = 'idempotency-replayed'
