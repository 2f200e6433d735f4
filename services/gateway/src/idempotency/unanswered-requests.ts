import { createHash, randomUUID } from 'node:crypto'
import type { Json } from '@platen/shared/contracts/json.ts'
import { newId } from '@platen/shared/runtime/ids.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { jsonSha256 } from './canonical-json.ts'
import type { IdempotencyEntries } from './idempotency-entries.ts'
import type { IdempotentRequest } from './idempotent-request.ts'

/** A request without Idempotency-Key whose client has no answer yet. */
interface UnansweredEntry {
  time_ms: number
  id: string
  command_id: string
  /** The gateway that is handling the request; absent once the client has a 503, or has disconnected. */
  holder?: string
}

/** How long the request is recognized when it is repeated. */
const windowMs = 60_000
/** A request does not take longer, so its gateway has stopped. */
const maxRunMs = 10_000

/**
 * Recognizes a request without Idempotency-Key that repeats one without an answer: the same body, sent again by the same API
 * key after a 503 or a disconnect. It gets the ids of the first, so that both create one resource. Equal requests that are
 * sent at the same time, or after an answer, create one each.
 */
export class UnansweredRequests {
  readonly #entries: IdempotencyEntries<UnansweredEntry>
  /** Identifies this process, also after a restart. */
  readonly #holder: string
  readonly #running = new Set<string>()

  constructor(entries: IdempotencyEntries<UnansweredEntry>, holder: string) {
    this.#entries = entries
    this.#holder = holder
  }

  /** Throws BusUnavailable. */
  async begin(request: FastifyRequest, reply: FastifyReply, prefix: 'tpl'): Promise<IdempotentRequest> {
    const { url: path = '' } = request.routeOptions
    const parts = ['unanswered', apiKeyOf(request).id, path, jsonSha256(request.body as Json)]
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
    const fresh: UnansweredEntry = {
      time_ms: Date.now(),
      id: newId(prefix),
      command_id: randomUUID(),
      holder: this.#holder,
    }
    const { entry, revision, first } = await this.#entries.claim(key, fresh)
    if (first) return this.#track(key, { entry, revision, repeated: false }, reply)
    if (this.#isRunning(key, entry)) return untracked(fresh, false)
    const repeated = Date.now() - entry.time_ms < windowMs
    const mine = repeated ? { ...entry, holder: this.#holder } : fresh
    const updated = await this.#entries.update(key, mine, revision)
    if (updated === undefined) return untracked(fresh, false)
    return this.#track(key, { entry: mine, revision: updated, repeated }, reply)
  }

  #isRunning(key: string, { holder, time_ms }: UnansweredEntry): boolean {
    if (holder === this.#holder) return this.#running.has(key)
    return holder !== undefined && Date.now() - time_ms < maxRunMs
  }

  #track(
    key: string,
    { entry, revision, repeated }: { entry: UnansweredEntry; revision: number; repeated: boolean },
    reply: FastifyReply,
  ): IdempotentRequest {
    this.#running.add(key)
    const { holder: _, ...unanswered } = entry
    reply.raw.once('close', async () => {
      const isAnswered = reply.raw.writableFinished && reply.statusCode < 500
      try {
        if (!isAnswered) this.#running.delete(key)
        await (isAnswered ? this.#entries.delete(key, revision) : this.#entries.update(key, unanswered, revision))
        // Only now: until the entry is deleted, an equal request must not take it for unanswered.
        this.#running.delete(key)
      } catch (err) {
        reply.log.warn({ err }, 'idempotency entry not updated')
      }
    })
    return untracked(entry, repeated)
  }
}

function untracked({ id, command_id }: UnansweredEntry, repeated: boolean): IdempotentRequest {
  const nothing = async () => {}
  return {
    id,
    commandId: command_id,
    repeated,
    earlierResponse: undefined,
    saveResponse: nothing,
    releaseKey: nothing,
  }
}
