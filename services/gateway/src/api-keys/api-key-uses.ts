import { isUseDue, recordApiKeyUse, useIntervalMs } from '@platen/domain/api-key/api-key-use.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { ApiKeyRecord } from '../views/api-key-view.ts'

const retryMs = 60_000

/** Records the use of API keys in the event store, at most once an hour for each, without delaying requests. */
export class ApiKeyUses {
  readonly #store: EventStore
  readonly #log: Logger
  /** When this gateway has noted a use of a key, ISO 8601. The view shows it later. */
  readonly #noted = new Map<string, string>()
  readonly #writing = new Set<Promise<void>>()

  constructor(store: EventStore, log: Logger) {
    this.#store = store
    this.#log = log
  }

  note({ id, lastUsedAt }: Pick<ApiKeyRecord, 'id' | 'lastUsedAt'>): void {
    const at = new Date().toISOString()
    if (!isUseDue(lastUsedAt, at) || !isUseDue(this.#noted.get(id), at)) return
    this.#noted.set(id, at)
    const writing = recordApiKeyUse(this.#store, id, at).catch((err) => {
      this.#log.warn({ err, api_key_id: id }, 'use of an API key not recorded, retrying in a minute')
      this.#noted.set(id, new Date(Date.now() - useIntervalMs + retryMs).toISOString())
    })
    this.#writing.add(writing)
    void writing.finally(() => this.#writing.delete(writing))
  }

  /** Resolves when the uses that were noted before are recorded. */
  async written(): Promise<void> {
    await Promise.all(this.#writing)
  }
}
