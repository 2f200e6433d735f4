import { RenderPdf } from '@platen/domain/generation/generation.ts'
import { unknownFeatures } from '@platen/domain/generation/render-features.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { commandParser, MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'

const parse = commandParser(RenderPdf)
/** A renderer of the newer version has usually taken the command by then. */
const delayMs = 5_000

/**
 * Throws Released if the command requires a feature that this version does not have, even if the rest cannot be read. Otherwise
 * throws MalformedMessage if it cannot be read.
 */
export function parseRender(bytes: Uint8Array): Envelope<RenderPdf> {
  let command: Envelope<RenderPdf>
  try {
    command = parse(bytes)
  } catch (err) {
    if (err instanceof MalformedMessage) releaseIfUnknown((parseJson(bytes) as { data?: unknown } | null)?.data)
    throw err
  }
  releaseIfUnknown(command.data)
  return command
}

function releaseIfUnknown(data: unknown): void {
  const unknown = unknownFeatures(data)
  if (unknown.length === 0) return
  throw new Released(`the document needs a newer renderer, for ${unknown.join(', ')}`, { delayMs })
}
