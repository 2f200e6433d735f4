import { createHash, randomUUID } from 'node:crypto'
import { fail } from '@platen/domain/http/errors.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import { derivedUuid, idTimeMs, newId } from '@platen/foundation/runtime/ids.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ownerOf } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { bodySha256 } from '../http/plugins/json-parser.ts'
import type { EntryKey, IdempotencyEntries, IdempotencyEntry } from './idempotency-entries.ts'

/** A POST request. All requests of an owner with the same Idempotency-Key have the same ids and send the same command. */
export interface IdempotentRequest {
  /** The id of the resource that the request creates. */
  id: string
  commandId: string
  /** Time of the first of them, ISO 8601. Events of the command are searched from then on. */
  commandTime: string
  /** Whether there was an earlier request with the key. It may still be running. */
  repeated: boolean
  /** Whether later requests may have its ids. */
  hasKey: boolean
  /**
   * Does the work of the request. If that is refused, the key is free for another request, unless a repeated one uses the ids. After an
   * outage the work may have had an effect: a repeated request must use the same ids.
   */
  attempt<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface ResourceKind {
  prefix: 'tpl' | 'prt' | 'pdf' | 'bat'
  /** For a body that is not JSON: the id of the first request and the hash of its body. */
  given?: { id: string; sha256: string }
  /** Whether the request with this id was refused for good, so that a repeated one is another. Default: never. */
  isRefused?: (id: string) => Promise<boolean>
}

/** Throws DomainError VALIDATION_ERROR, IDEMPOTENCY_KEY_REUSED or RATE_LIMITED, and BusUnavailable. */
export async function beginIdempotentRequest(
  entries: IdempotencyEntries,
  request: FastifyRequest,
  { prefix, given, isRefused = async () => false }: ResourceKind,
): Promise<IdempotentRequest> {
  const key = idempotencyKey(request)
  if (key === undefined) return requestWithoutKey(prefix, given?.id)
  const { id: ownerId } = ownerOf(request)
  const { url: path = '' } = request.routeOptions
  const entryKey = createHash('sha256')
    .update(JSON.stringify([ownerId, path, key]))
    .digest('hex')
  const newEntry: IdempotencyEntry = {
    body_sha256: given?.sha256 ?? bodySha256(request),
    id: given?.id ?? newId(prefix),
  }
  const { entry, revision, first } = await claimOrShare(entries, { ownerId, key: entryKey, newEntry, isRefused })
  const { id } = entry
  return {
    id,
    commandId: derivedUuid(id, 'command'),
    commandTime: new Date(idTimeMs(id)).toISOString(),
    repeated: !first,
    hasKey: true,
    async attempt(work) {
      try {
        return await work()
      } catch (err) {
        // The request does not fail with its entry: a repeated request finds the same ids.
        if (first && !(err instanceof DependencyUnavailable))
          await entries
            .delete(entryKey, revision)
            .catch((reason) => request.log.warn({ err: reason }, 'idempotency entry not deleted'))
        throw err
      }
    },
  }
}

interface Claim extends EntryKey {
  newEntry: IdempotencyEntry
  isRefused: (id: string) => Promise<boolean>
}

/**
 * Claims the entry of the key. If the first request is still running, the entry is marked as shared before this request
 * uses its ids. If it was refused, it stays refused, and this request gets ids of its own.
 */
async function claimOrShare(entries: IdempotencyEntries, { ownerId, key, newEntry, isRefused }: Claim) {
  for (;;) {
    const claimed = await entries.claim({ ownerId, key }, newEntry)
    const { entry, revision } = claimed
    if (!claimed.first && (await isRefused(entry.id))) {
      const renewed = await entries.update(key, newEntry, revision)
      if (renewed !== undefined) return { entry: newEntry, revision: renewed, first: true }
      continue
    }
    if (entry.body_sha256 !== newEntry.body_sha256) {
      fail('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another request body; send a new key')
    }
    if (claimed.first || entry.shared) return claimed
    const shared: IdempotencyEntry = { ...entry, shared: true }
    const updated = await entries.update(key, shared, revision)
    if (updated !== undefined) return { entry: shared, revision: updated, first: false }
  }
}

function requestWithoutKey(prefix: ResourceKind['prefix'], id = newId(prefix)): IdempotentRequest {
  return {
    id,
    commandId: randomUUID(),
    commandTime: new Date().toISOString(),
    repeated: false,
    hasKey: false,
    attempt: (work) => work(),
  }
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  return invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
}

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      [statedRules]: { minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
      description:
        '1 to 255 printable ASCII characters, kept for 24 hours. A repeated request with the same key and body gets the same response, with a newly signed `url`, marked with `idempotency-replayed: true`.',
      examples: ['order-4711'],
    }),
  ),
})

export const replayedHeader = 'idempotency-replayed'
