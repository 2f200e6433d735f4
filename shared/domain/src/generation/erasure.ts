import { Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

/** What was deleted of a generation, in HTTP responses. */
export const Erasure = Type.Object(
  {
    generation_id: Type.String({ examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
    erased_at: Timestamp,
    objects: Type.Integer({
      minimum: 0,
      description:
        'files that existed: the PDF, those of other attempts, the input; of an item of a batch, those that had it with other items, which are written anew',
    }),
    dead_letters: Type.Integer({ minimum: 0, description: 'render commands with the input that had failed' }),
    sha256: Type.Optional(Type.String({ description: 'of the PDF, in hex: which file is gone' })),
    input_sha256: Type.Optional(
      Type.String({ description: 'of the kept input as it was stored, encrypted; in hex: its key is gone, too' }),
    ),
  },
  { title: 'Erasure' },
)
export type Erasure = Static<typeof Erasure>
