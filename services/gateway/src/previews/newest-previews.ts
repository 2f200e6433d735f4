import { previewSubjects } from '@platen/domain/generation/preview.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { NatsConnection } from 'nats'

interface Newest {
  client: string
  preview_id: string
}

/** The previews that this gateway waits for. A newer one of the same client, at any gateway, ends an older one. */
export class NewestPreviews {
  readonly #nats: NatsConnection
  /** Running previews by client and id. Ids sort by time. */
  readonly #running = new Map<string, Map<string, AbortController>>()

  constructor(nats: NatsConnection) {
    this.#nats = nats
    nats.subscribe(previewSubjects.newest, {
      callback: (err, message) => {
        if (!err) this.#end(message.json<Newest>())
      },
    })
  }

  /** The signal aborts with CONFLICT when a newer preview of the client has begun. */
  begin(client: string, preview_id: string): Disposable & { signal: AbortSignal } {
    const controller = new AbortController()
    const running = this.#running.get(client) ?? new Map<string, AbortController>()
    this.#running.set(client, running.set(preview_id, controller))
    this.#end({ client, preview_id })
    this.#nats.publish(previewSubjects.newest, JSON.stringify({ client, preview_id } satisfies Newest))
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        running.delete(preview_id)
        if (running.size === 0 && this.#running.get(client) === running) this.#running.delete(client)
      },
    }
  }

  #end({ client, preview_id }: Newest): void {
    for (const [id, controller] of this.#running.get(client) ?? []) {
      if (id < preview_id) controller.abort(new DomainError('CONFLICT', 'A newer preview of this client has begun'))
    }
  }
}
