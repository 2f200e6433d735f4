import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { KeptInput } from '@platen/domain/document/retain-input.ts'
import type { GenerationRequest, RenderInput } from '@platen/domain/generation/generation.ts'
import { freshMs } from '@platen/domain/generation/object-retention.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import type { KeptInputs } from '@platen/service-kit/inputs/kept-inputs.ts'
import { invalidField } from '../http/errors/field-problems.ts'

/** What the deployment says of inputs that are kept, in days. */
export interface RetainPolicy {
  /** Of requests that do not say it, nor their template. */
  retainInputDays: number
  retainInputMaxDays: number
}

export interface KeepOptions {
  config: RetainPolicy
  objects: Pick<ObjectStore, 'delete'>
  keptInputs: Pick<KeptInputs, 'keep' | 'discard'>
}

export interface ToKeep extends KeepTerms {
  request: Pick<GenerationRequest, 'generation_id'> & { owner_id: string }
  input: RenderInput
}

/** What a request says of its input. */
export interface KeepTerms {
  /** The options of the request, without those of its template. Null: they are not known. */
  options: PdfOptions | null | undefined
  /** The days that the request says, or the generation that it repeats, and those that its template says. */
  asked: number | undefined
  ofTemplate: number | undefined
}

/** Throws VALIDATION_ERROR if the deployment keeps no input for that long. */
export function checkRetainInput(asked: number | undefined, { retainInputMaxDays: most }: RetainPolicy): void {
  if (asked !== undefined && asked > most)
    invalidField('retain_input', `must be at most ${most}: RETAIN_INPUT_MAX_DAYS of this deployment`)
}

/**
 * Keeps the input of a request that is about to be sent, if the request, its template or the deployment says so. If the owner has its
 * share, or the store of the keys is full, throws INPUT_LIMIT_EXCEEDED if the request itself says so; other documents are printed, and
 * their inputs not kept.
 * Throws BusUnavailable and ObjectStoreUnavailable.
 */
export async function keepInput(
  { config, keptInputs }: KeepOptions,
  { request, input, options, asked, ofTemplate }: ToKeep,
): Promise<KeptInput | undefined> {
  const days = Math.min(asked ?? ofTemplate ?? config.retainInputDays, config.retainInputMaxDays)
  if (days === 0) return undefined
  const { generation_id: generationId, owner_id: ownerId } = request
  const kept = await keptInputs.keep({ generationId, ownerId, days, input, options })
  if (!kept && asked !== undefined)
    fail(
      'INPUT_LIMIT_EXCEEDED',
      'The owner keeps as many bytes of inputs as are allowed; erase some, or send retain_input: 0',
    )
  return kept
}

/** Throws SERVICE_UNAVAILABLE if what a request has stored since then may be removed before it is named, as the gateway was suspended. */
export function refuseStale(sinceMs: number): void {
  if (Date.now() - sinceMs > freshMs)
    fail('SERVICE_UNAVAILABLE', 'The gateway was suspended meanwhile; repeat the request')
}

/** Deletes what is stored for a request that is not sent. If that fails, the janitor does so. */
export async function discardInput(
  { keptInputs, objects }: KeepOptions,
  { generation_id: generationId, owner_id: ownerId, kept_input: kept }: GenerationRequest,
  { stored, mayShareId, log }: { stored: string | undefined; mayShareId: boolean; log: Logger },
): Promise<void> {
  try {
    if (kept) await keptInputs.discard({ generationId, ownerId, kept, mayShareKey: mayShareId })
    if (stored !== undefined) await objects.delete(stored)
  } catch (err) {
    log.warn({ err, generation: generationId }, 'an input without a request is left')
  }
}
