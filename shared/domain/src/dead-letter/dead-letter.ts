import { OpenEnum } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

const LetterId = Type.String({ pattern: '^[1-9][0-9]{0,8}$', examples: ['42'] })

/** A message that could not be handled, in HTTP responses. */
export const DeadLetter = Type.Object({
  id: Type.String({ description: 'its number in the stream `DEAD_LETTERS`', examples: ['42'] }),
  at: Type.String({ format: 'date-time', description: 'when it was given up' }),
  kind: OpenEnum(['render', 'template', 'delivery', 'cancel', 'event', 'other'], {
    title: 'DeadLetterKind',
    description:
      '`render`: a document; `template`, `delivery` and `cancel`: another command; `event`: a recorded event.',
  }),
  subject: Type.String({ description: 'where it was sent to' }),
  owner_id: Type.Optional(Type.String({ description: 'absent if the message names none' })),
  generation_id: Type.Optional(Type.String({ description: 'that of a document' })),
  retried_as: Type.Optional(
    Type.String({
      description:
        'the newest generation that the document was rendered again as. When it has ended, the dead letter is removed; when it has failed, it may be sent again',
      examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'],
    }),
  ),
  reason: Type.String(),
  attempts: Type.Integer({ minimum: 0, description: 'how often it was delivered' }),
  bytes: Type.Integer({ minimum: 0, description: 'the size of its body' }),
  body: Type.Optional(
    Type.String({
      description: 'the first 64 KiB, without tokens of URLs; not in lists. That of a document has its data',
    }),
  ),
  body_truncated: Type.Optional(Type.Boolean({ description: 'there is more of the body' })),
})
export type DeadLetter = Static<typeof DeadLetter>

const LetterFilterBody = Type.Object(
  {
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'a part of the reason' })),
    subject: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'the beginning of the subject' })),
    owner_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    created_after: Type.Optional(Type.String({ maxLength: 40, description: 'given up at this time or later' })),
    created_before: Type.Optional(Type.String({ maxLength: 40, description: 'given up earlier than this time' })),
  },
  { title: 'DeadLetterFilter', additionalProperties: false },
)
export type LetterFilterBody = Static<typeof LetterFilterBody>

export const mostLettersAtOnce = 100

/** Which dead letters to act on. Either of the first two. */
export const ChooseLettersBody = Type.Object(
  {
    ids: Type.Optional(Type.Array(LetterId, { minItems: 1, maxItems: mostLettersAtOnce })),
    filter: Type.Optional({ ...LetterFilterBody, description: 'an empty one selects all' }),
    after: Type.Optional({ ...LetterId, description: '`next_after` of an earlier answer: only later ones' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'only says what would be done. Default: false' })),
  },
  {
    title: 'ChooseDeadLetters',
    additionalProperties: false,
    examples: [{ filter: { reason: 'it crashed' }, dry_run: true }],
  },
)
export type ChooseLettersBody = Static<typeof ChooseLettersBody>

const KeptLetter = Type.Object({ id: Type.String(), reason: Type.String() }, { title: 'KeptDeadLetter' })
const RetriedLetter = Type.Object(
  {
    id: Type.String(),
    generation_id: Type.Optional(Type.String({ description: 'a document is rendered as this new generation' })),
  },
  { title: 'RetriedDeadLetter' },
)

export const LettersResult = Type.Object(
  {
    dry_run: Type.Boolean(),
    count: Type.Integer({ minimum: 0, description: 'how many were selected' }),
    ids: Type.Array(Type.String(), { description: 'the first hundred of those, oldest first' }),
    done: Type.Array(RetriedLetter, { description: 'those that were sent again, or removed' }),
    kept: Type.Array(KeptLetter, { description: 'those with which nothing was done, and why' }),
    next_after: Type.Optional(
      Type.String({ description: 'present if there may be more: send it as `after`, with the same filter' }),
    ),
  },
  { title: 'DeadLettersResult' },
)
export type LettersResult = Static<typeof LettersResult>
