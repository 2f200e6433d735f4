import { GenerationId, GenerationRequest, type RenderPdf } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import { type Priority, renderSubjectIds } from '@platen/domain/streams/subjects.ts'
import {
  type CommandMetadata,
  CommandMetadata as CommandMetadataSchema,
  type Envelope,
} from '@platen/foundation/command.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import type { MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { sendReply } from '@platen/messaging/requests/reply.ts'
import type { NatsConnection } from 'nats'
import { Compile } from 'typebox/compile'
import { refusalOf } from '../admission/refuse.ts'
import { bareRequest } from './generation-repository.ts'
import type { RenderCommand } from './parse-render.ts'
import { maxAttempts, maxStops, type RenderDependencies, renderPdf, stoppedEachTime } from './render-pdf.ts'
import { slotsFor } from './run-attempt.ts'
import { ObjectUnusable } from './use-object.ts'

const isRequest = Compile(GenerationRequest)
const isMetadata = Compile(CommandMetadataSchema)
const isGenerationId = Compile(GenerationId)

/**
 * The generation of a render command that cannot be read, from the valid part of the command and the ids in its
 * subject. Undefined if the subject is not that of a generation.
 */
function malformedRender({ subject, data, info, isIntact }: DeliveredMessage) {
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

/** Handlers for the render commands of one priority: `consume({ …, ...renderHandlers(…) })`. */
export function renderHandlers(dependencies: RenderDependencies, nats: NatsConnection, priority: Priority) {
  const fail = (command: Envelope<RenderPdf>, failure: Failure): Promise<GenerationOutcome> => {
    const { request } = command.data
    const job = { id: request.generation_id, request: bareRequest(request), cause: command }
    return dependencies.generations.end(job, { type: 'FailGeneration', failure })
  }
  return {
    // Attempts are counted instead: a message may be delivered and not be handled.
    maxDeliveries: Number.POSITIVE_INFINITY,
    async handle(command: RenderCommand, raw: DeliveredMessage): Promise<void> {
      const redelivered = raw.wasBegun
      // The start may be recorded, and a refusal would leave it without an end.
      const slots = slotsFor(dependencies, command.data)
      const refusal = redelivered ? undefined : refusalOf(slots, command.data, dependencies.clock.now())
      // The refusal is recorded, so that a redelivery finds it: the client may have sent the document again.
      const outcome = refusal
        ? await fail(command, refusal)
        : await renderPdf(dependencies, command, { priority, redelivered })
      sendReply(nats, raw, { ok: true, value: outcome })
    },
    async onMalformed(raw: DeliveredMessage, { message }: MalformedMessage): Promise<void> {
      const malformed = malformedRender(raw)
      if (!malformed) return
      const { request, metadata } = malformed
      const failure: Failure = { code: 'INTERNAL_ERROR', message: `The queued request could not be read: ${message}` }
      const job = { id: request.generation_id, request: bareRequest(request), cause: { metadata } }
      const outcome = await dependencies.generations.end(job, { type: 'FailGeneration', failure })
      sendReply(nats, raw, { ok: true, value: outcome })
    },
    async onExhausted(command: Envelope<RenderPdf>, raw: DeliveredMessage, err: unknown): Promise<void> {
      sendReply(nats, raw, { ok: true, value: await fail(command, failureOf(err)) })
    },
  }
}

function failureOf(err: unknown): Failure {
  if (err instanceof ObjectUnusable) {
    const message = 'The object store could not read the input or store the PDF of this generation; request it again'
    return { code: 'STORAGE_UNAVAILABLE', message }
  }
  const attempts = err === stoppedEachTime ? maxStops : maxAttempts
  const message = `The document could not be rendered in ${attempts} attempts; ${causeOf(err)}`
  return { code: 'RENDER_FAILED', message }
}

/** The message of an internal error for the caller, without paths and addresses of this machine. */
function causeOf(err: unknown): string {
  const [line = ''] = (err instanceof Error ? err.message : String(err)).split('\n')
  const words = line.split(' ').map((word) => (word.includes('/') ? '…' : word))
  return `the last one ended with: ${words.join(' ').slice(0, 200)}`
}
