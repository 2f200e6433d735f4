import { RenderPdf } from '@platen/domain/generation/generation.ts'
import { unknownFeatures } from '@platen/domain/generation/render-features.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import type { LongText } from '@platen/messaging/connection/long-texts.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { commandParser, MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { jsonAround } from '@platen/service-kit/commands/long-json.ts'
import type { KnownJson } from '../chromium/browser/cdp/known-json.ts'

const parse = commandParser(RenderPdf)
/** A renderer of the newer version has usually taken the command by then. */
const delayMs = 5_000

/** The command, with its HTML as JSON if this process has parsed it from a long message. */
export type RenderCommand = Envelope<RenderPdf> & { html?: KnownJson }

/**
 * `sent`: the HTML of the command, if this process has sent it.
 * Throws Released if the command requires a feature that this version does not have, even if the rest cannot be read. Otherwise
 * throws MalformedMessage if it cannot be read.
 */
export function parseRender(bytes: Uint8Array, sent?: LongText): RenderCommand {
  if (sent) return withHtml(parseRender(jsonAround(sent)), sent)
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

function withHtml(command: RenderCommand, { text: html, payload, start, end }: LongText): RenderCommand {
  const { input } = command.data
  if (!input) throw new Error('the command of a long document has no input')
  return {
    ...command,
    data: { ...command.data, input: { ...input, html } },
    html: { text: html, json: payload.subarray(start, end) },
  }
}

function releaseIfUnknown(data: unknown): void {
  const unknown = unknownFeatures(data)
  if (unknown.length === 0) return
  throw new Released(`the document needs a newer renderer, for ${unknown.join(', ')}`, { delayMs })
}
