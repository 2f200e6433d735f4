import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { Quoted } from '@platen/domain/generation/gotenberg-answer.ts'

/** A document as a request asks for it. */
export interface Job {
  input: RenderInput
  /** The extension of the file. */
  extension: string
  /** The name of the file without it, unless the client chooses one. Default: a random one. */
  fileName?: string
  /** The values of the request that answers quote. */
  quoted: Quoted
}
