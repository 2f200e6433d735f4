import type { Readable } from 'node:stream'
import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import type { GenerationCompleted, GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { fileNameOf, pdfType } from '@platen/domain/generation/job-details.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { PendingReply } from '@platen/messaging/requests/reply.ts'
import { ObjectNotFound, type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logBrokenDownload } from '../http/errors/disconnects.ts'
import { pollAgain } from '../http/errors/error-response.ts'
import { entityTag } from '../http/headers/entity-tags.ts'
import type { Urls } from '../http/urls.ts'
import type { SentResponse } from '../idempotency/create-once.ts'
import { type GenerationRecord, recordOfOutcome } from '../views/generation-record.ts'
import type { GenerationView } from '../views/generation-view.ts'
import type { ViewUpdates } from '../views/view-updates.ts'
import { abandonGeneration } from './cancel-generation.ts'
import type { Congestion } from './congestion.ts'
import { generationBody } from './generation-body.ts'
import type { ResponseMode } from './response-mode.ts'
import { waitForOutcome } from './wait-for-outcome.ts'

interface Submitted {
  generation: GenerationRequest
  reply: FastifyReply
}

export function respondAccepted({ urls }: { urls: Urls }, { generation, reply }: Submitted) {
  return send(reply, accepted({ request: generation, state: { status: 'queued' } }, urls))
}

function accepted(record: GenerationRecord, urls: Urls): SentResponse {
  const headers = { location: urls.poll(record.request.generation_id), ...pollAgain }
  return { status: 202, headers, body: generationBody(record, urls) }
}

export interface SyncResponseOptions {
  bus: Bus
  congestion: Congestion
  objects: ObjectStore
  generations: GenerationView
  updates: ViewUpdates
  urls: Urls
}

interface SubmittedSync extends Submitted {
  request: FastifyRequest
  pending: PendingReply<GenerationOutcome>
  mode: ResponseMode
  /** Whether the client may ask for the result after it has disconnected. */
  returns: boolean
  /** Whether the client wants a file of this media type itself. */
  asFile: (mediaType: string) => boolean
  disconnected: AbortSignal
}

/**
 * Waits for the generation to end. The response is not saved for repeated requests, because its URL is signed: they
 * find the generation by its id.
 */
export async function respondWithResult(
  { bus, congestion, objects, generations, updates, urls }: SyncResponseOptions,
  { generation, pending, mode, returns, asFile, request, reply, disconnected: signal }: SubmittedSync,
) {
  const id = generation.generation_id
  const { timeoutMs } = mode
  const outcome = await waitForOutcome({ id, pending, generations, updates, timeoutMs, signal })
  if (outcome?.type === 'GenerationFailed') congestion.observe(generation.api_key_id, outcome.data)
  if (!outcome && signal.aborted && !returns) await abandonGeneration(bus, generation, request)
  if (!outcome && mode.late === 'accepted') {
    const state = generations.find(id)?.state ?? { status: 'queued' }
    return send(reply, accepted({ request: generation, state }, urls))
  }
  if (!outcome) {
    const message = `The generation has not ended after ${timeoutMs / 1_000} s; poll for its result`
    return fail('WAIT_TIMEOUT', message, { generation_id: id, poll_url: urls.poll(id) })
  }
  const completed = resultOf(id, outcome)
  if (asFile(completed.media_type ?? pdfType)) {
    const body = await readFile(objects, completed, { generation_id: id, poll_url: urls.poll(id) })
    const fileName = fileNameOf({ ...generation, media_type: completed.media_type })
    return sendFile(body, { fileName, completed, reply })
  }
  return reply.send(generationBody(recordOfOutcome(generation, outcome), urls))
}

function send(reply: FastifyReply, { status, headers, body }: SentResponse) {
  return reply.code(status).headers(headers).send(body)
}

/** Throws the failure of the generation, with its id in the details. */
function resultOf(id: string, outcome: GenerationOutcome): GenerationCompleted['data'] {
  switch (outcome.type) {
    case 'GenerationCompleted':
      return outcome.data
    case 'GenerationFailed': {
      const { details } = outcome.data
      const withId = { ...(typeof details === 'object' && details), generation_id: id }
      throw DomainError.from({ ...outcome.data, details: withId })
    }
    case 'GenerationCancelled':
      return fail('CONFLICT', 'The generation was cancelled', { generation_id: id })
  }
}

interface ResultFile {
  fileName: string
  completed: GenerationCompleted['data']
  reply: FastifyReply
}

/** The file exists but cannot be read. `details` say where to fetch it later. */
async function readFile(objects: ObjectStore, { object_key }: GenerationCompleted['data'], details: unknown) {
  try {
    return await objects.get(object_key)
  } catch (cause) {
    if (cause instanceof ObjectNotFound) {
      throw new DomainError('FILE_DELETED', 'The PDF of this generation has been deleted', { details, cause })
    }
    if (!(cause instanceof ObjectStoreUnavailable)) throw cause
    const message = 'The PDF is printed, but the object store is unavailable; poll for its URL'
    throw new DomainError('STORAGE_UNAVAILABLE', message, { details, cause })
  }
}

function sendFile(body: Readable, { fileName, completed, reply }: ResultFile) {
  const { object_key: key, size, pages, sha256, warnings, media_type = pdfType } = completed
  return reply
    .headers({
      'content-type': media_type,
      'content-length': size,
      'content-disposition': contentDisposition(fileName, 'inline'),
      etag: entityTag(sha256),
      'x-generation-pages': pages,
      'x-generation-warnings': warnings.length,
    })
    .send(logBrokenDownload(body, reply, { key, size }))
}
