import { createHash, randomUUID } from 'node:crypto'
import type { Json } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createInbox, type NatsConnection } from 'nats'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { jsonSha256 } from './canonical-json.ts'
import { IdempotencyEntries } from './idempotency-entries.ts'
import type { IdempotentRequest } from './idempotent-request.ts'

/** A request without Idempotency-Key whose client has no answer yet. */
interface UnansweredEntry {
  time_ms: number
  id: string
  command_id: string
  /** The gateway that is handling the request, and where it says whether it still is. Absent once the client has a 503, or has disconnected. */
  holder?: { instance: string; ask_at: string }
}

/** How long the request is recognized when it is repeated. */
const windowMs = 60_000
/** A request does not take longer, so its gateway has stopped. */
const maxRunMs = 10_000
/** A gateway that does not answer in this time has stopped. NATS says at once if there is none. */
const askTimeoutMs = 500

/**
 * Recognizes a request without Idempotency-Key that repeats one without an answer: the same body, sent again by the same API
 * key after a 503 or a disconnect. It gets the ids of the first, so that both create one resource. Equal requests that are
 * sent at the same time, or after an answer, create one each.
 */
export class UnansweredRequests {
  readonly #entries: IdempotencyEntries<UnansweredEntry>
  readonly #nats: NatsConnection
  readonly #holder: { instance: string; ask_at: string }
  readonly #running = new Set<string>()
  /** Requests whose entry is being claimed. Another gateway may see the entry before this one knows that it is its own. */
  readonly #claiming: string[] = []

  /** `instance` identifies this process, also after a restart. */
  constructor(bus: Bus, instance: string) {
    this.#entries = new IdempotencyEntries(bus)
    this.#nats = bus.nats
    this.#holder = { instance, ask_at: createInbox() }
    this.#nats.subscribe(this.#holder.ask_at, {
      callback: (err, message) => {
        if (err) return
        const key = message.string()
        message.respond(JSON.stringify(this.#running.has(key) || this.#claiming.includes(key)))
      },
    })
  }

  /** Throws BusUnavailable. */
  async begin(request: FastifyRequest, reply: FastifyReply, prefix: 'tpl' | 'prt'): Promise<IdempotentRequest> {
    const { url: path = '' } = request.routeOptions
    const parts = ['unanswered', apiKeyOf(request).id, path, await jsonSha256(request.body as Json)]
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
    this.#claiming.push(key)
    try {
      return await this.#claim(key, reply, prefix)
    } finally {
      this.#claiming.splice(this.#claiming.indexOf(key), 1)
    }
  }

  async #claim(key: string, reply: FastifyReply, prefix: 'tpl' | 'prt'): Promise<IdempotentRequest> {
    const fresh: UnansweredEntry = {
      time_ms: Date.now(),
      id: newId(prefix),
      command_id: randomUUID(),
      holder: this.#holder,
    }
    const { entry, revision, first } = await this.#entries.claim(key, fresh)
    if (first) return this.#track(key, { entry, revision, repeated: false }, reply)
    if (await this.#isRunning(key, entry)) return untracked(fresh, false)
    const repeated = Date.now() - entry.time_ms < windowMs
    const mine = repeated ? { ...entry, holder: this.#holder } : fresh
    const updated = await this.#entries.update(key, mine, revision)
    if (updated === undefined) return untracked(fresh, false)
    return this.#track(key, { entry: mine, revision: updated, repeated }, reply)
  }

  async #isRunning(key: string, { holder, time_ms }: UnansweredEntry): Promise<boolean> {
    if (holder?.instance === this.#holder.instance) return this.#running.has(key)
    if (holder === undefined || Date.now() - time_ms >= maxRunMs) return false
    try {
      return (await this.#nats.request(holder.ask_at, key, { timeout: askTimeoutMs })).json<boolean>()
    } catch {
      return false
    }
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
