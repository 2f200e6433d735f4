import { RenderPdf, renderFeatures } from '@platen/domain/generation/generation.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { commandParser, MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const parse = commandParser(RenderPdf)
const withRequirements = Compile(Type.Object({ data: Type.Object({ requires: Type.Array(Type.String()) }) }))
/** A renderer of the newer version has usually taken the command by then. */
const delayMs = 5_000

/**
 * Throws Released if the command requires what this version cannot do, whether it can be read otherwise or not, and else
 * MalformedMessage if it cannot be read.
 */
export function parseRender(bytes: Uint8Array): Envelope<RenderPdf> {
  let command: Envelope<RenderPdf>
  try {
    command = parse(bytes)
  } catch (err) {
    if (err instanceof MalformedMessage) releaseUnlessKnown(requirementsIn(bytes))
    throw err
  }
  releaseUnlessKnown(command.data.requires)
  return command
}

function requirementsIn(bytes: Uint8Array): readonly string[] {
  const value = parseJson(bytes)
  return withRequirements.Check(value) ? value.data.requires : []
}

function releaseUnlessKnown(requires: readonly string[] = []): void {
  const unknown = requires.filter((feature) => !renderFeatures.includes(feature))
  if (unknown.length === 0) return
  throw new Released(`the document needs a newer renderer, for ${unknown.join(', ')}`, { delayMs })
}
