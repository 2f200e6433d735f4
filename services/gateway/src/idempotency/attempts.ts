import { createHash, randomUUID } from 'node:crypto'
import { fail } from '@platen/shared/runtime/errors.ts'
import { derivedId, derivedUuid, newId } from '@platen/shared/runtime/ids.ts'
import type { FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { jsonSha256 } from './canonical-json.ts'
import type { IdempotencyEntries, IdempotencyEntry, SentAnswer } from './idempotency-entries.ts'

/** One POST under way. All attempts with the same Idempotency-Key name the same thing and send the same command. */
export interface Attempt {
  /** Of what the request makes. */
  id: string
  commandId: string
  /** Whether an earlier attempt came first; it may still be under way. */
  repeated: boolean
  /** What the earlier one was answered. */
  earlier: SentAnswer | undefined
  /** Keeps a good answer for those who ask again. */
  remember(answer: SentAnswer): Promise<void>
  /** Frees the key: nothing came of this attempt. */
  forget(): Promise<void>
}

/** A value in JetStream's bucket is a message; a larger answer is made again from what it tells of. */
const maxKeptBytes = 900_000

/** Throws DomainError VALIDATION_ERROR or IDEMPOTENCY_KEY_REUSED, and BusUnavailable. */
export async function beginAttempt(
  entries: IdempotencyEntries,
  request: FastifyRequest,
  prefix: 'tpl' | 'pdf',
): Promise<Attempt> {
  const key = idempotencyKey(request)
  if (key === undefined) return onlyAttempt(prefix)
  const { id: apiKeyId } = apiKeyOf(request)
  const { url: path = '' } = request.routeOptions
  const entryKey = createHash('sha256')
    .update(JSON.stringify([apiKeyId, path, key]))
    .digest('hex')
  const asked: IdempotencyEntry = { body_sha256: jsonSha256(request.body), time_ms: Date.now() }
  const { entry, revision, first } = await entries.claim(entryKey, asked)
  if (entry.body_sha256 !== asked.body_sha256) {
    fail('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body')
  }
  const id = derivedId(prefix, entry.time_ms, apiKeyId, path, key)
  // The request has its answer whether or not the key's entry can be kept up to date; a repeat finds the same ids.
  const quietly = (work: Promise<void>) => work.catch((err) => request.log.warn({ err }, 'idempotency entry not saved'))
  return {
    id,
    commandId: derivedUuid(id, 'command'),
    repeated: !first,
    earlier: entry.answer,
    async remember(answer) {
      const answered = { ...entry, answer }
      if (entry.answer || Buffer.byteLength(JSON.stringify(answered)) > maxKeptBytes) return
      await quietly(entries.update(entryKey, answered, revision))
    },
    forget: async () => quietly(entries.delete(entryKey, revision)),
  }
}

function onlyAttempt(prefix: 'tpl' | 'pdf'): Attempt {
  const nothing = async () => {}
  const ids = { id: newId(prefix), commandId: randomUUID() }
  return { ...ids, repeated: false, earlier: undefined, remember: nothing, forget: nothing }
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  const message = 'must be 1 to 255 printable ASCII characters'
  return fail('VALIDATION_ERROR', `Idempotency-Key ${message}`, [{ path: 'Idempotency-Key', message }])
}
