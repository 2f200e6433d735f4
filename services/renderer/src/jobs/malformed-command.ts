import { GenerationId, GenerationRequest } from '@platen/domain/generation/generation.ts'
import { renderSubjectIds } from '@platen/domain/streams/subjects.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { CommandMetadata as CommandMetadataSchema } from '@platen/foundation/command.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import { Compile } from 'typebox/compile'

const isRequest = Compile(GenerationRequest)
const isMetadata = Compile(CommandMetadataSchema)
const isGenerationId = Compile(GenerationId)

/**
 * The generation of a render command that cannot be read, from the valid part of the command and the ids in its
 * subject. Undefined if the subject is not that of a generation.
 */
export function malformedRender({ subject, data, info, isIntact }: DeliveredMessage) {
  const ids = renderSubjectIds(subject)
  const { generation_id: generationId } = ids
  if (!isGenerationId.Check(generationId)) return undefined
  // Of damaged data no part is sure, and some may be another owner's.
  const { data: body, metadata } = isIntact ? jsonObject(data) : {}
  const given = (body as { request?: unknown } | undefined)?.request
  const isGiven = isRequest.Check(given) && given.generation_id === generationId
  const request: GenerationRequest = isGiven ? given : ids
  const fallback: CommandMetadata = {
    id: derivedUuid(generationId, 'malformed'),
    time: new Date(info.timestampNanos / 1e6).toISOString(),
    correlation_id: generationId,
  }
  return { request, metadata: isMetadata.Check(metadata) ? metadata : fallback }
}

function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
