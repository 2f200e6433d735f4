import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { type Static, Type } from 'typebox'

/** The most days that an input can be kept, whatever the deployment allows. Keys in the key store live no longer. */
export const mostRetainDays = 365

const description =
  'days for which the input is kept, encrypted, so that the document can be rendered again; 0: not. Default: as the deployment has it, usually 0'

/** How long the input of a generation is kept, in days. */
export const RetainInput = Type.Integer({ minimum: 0, maximum: mostRetainDays, description, examples: [7] })

/** Where the kept input of a generation is, as its first event has it. */
export const KeptInput = Type.Object({
  object_key: Type.String(),
  days: Type.Integer({ minimum: 1 }),
  /** The size of the encrypted object. */
  bytes: Type.Integer({ minimum: 0 }),
  /** SHA-256 (hex) of the encrypted object, which says nothing of the input. */
  sha256: Type.String(),
})
export type KeptInput = Static<typeof KeptInput>

const dayMs = 24 * 3_600_000

/** When the input of a generation is not kept any more, in ms since the epoch. Counted from the request. */
export function keptUntilMs(generationId: string, days: number): number {
  return idTimeMs(generationId) + days * dayMs
}
