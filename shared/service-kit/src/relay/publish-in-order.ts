import { eventSubject } from '@platen/domain/catalogue/messages.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import { publishTraced } from '@platen/messaging/publish/publish-traced.ts'
import { isWrongSequence } from '@platen/messaging/publish/wrong-sequence.ts'
import { type Publisher, toMessage } from './cloud-event.ts'
import { type LastMessage, lastOfSubject, saysPublished } from './last-of-subject.ts'
import { positionHeader, resumeHeader } from './resume-point.ts'

/** Few subjects get a second message: those of changes of a template, of attempts. */
const subjectsKnown = 1_000

/** Publishes events for one holder of a lease. */
export class OrderedPublisher {
  readonly #bus: Bus
  readonly #publisher: Publisher
  readonly #foreign: number | undefined
  /** The last messages of subjects. */
  readonly #last = new LruCache<LastMessage>({ maxCount: subjectsKnown, maxWeight: Number.POSITIVE_INFINITY })

  /** Messages of EVENTS up to `foreign` may be of another log, see `Checkpoint`. */
  constructor(bus: Bus, publisher: Publisher, foreign?: number) {
    this.#bus = bus
    this.#publisher = publisher
    this.#foreign = foreign
  }

  /**
   * The events of one stream follow each other. If one cannot be published, those after it are not, and a later attempt
   * begins with it. Resolves to the last of their messages in EVENTS, undefined if none is published.
   *
   * Each message names the last one of its subject that this process knows, and JetStream refuses it if there is another. So a
   * process that was suspended, and others have published in its place, changes nothing when it goes on, however late.
   */
  async publish(events: readonly StoredEvent[], resumeAfter: string): Promise<LastMessage | undefined> {
    const byStream = Map.groupBy(events, ({ stream }) => stream)
    let last: LastMessage | undefined
    const results = await Promise.allSettled(
      [...byStream.values()].map(async (ofStream) => {
        for (const event of ofStream) {
          const message = await this.#publishEvent(event, resumeAfter)
          if (message && message.seq > (last?.seq ?? 0)) last = message
        }
      }),
    )
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    return last
  }

  /** Undefined if the event is of those that are not published. */
  async #publishEvent(event: StoredEvent, resumeAfter: string): Promise<LastMessage | undefined> {
    const message = await toMessage(this.#publisher, event)
    if (message === undefined) return undefined
    const { subject, payload, headers } = message
    headers.set(positionHeader, event.position)
    headers.set(resumeHeader, resumeAfter)
    const { traceparent: parent } = event.metadata
    let last = this.#last.get(subject)
    for (;;) {
      // The message may be that of a later event, which another process has published.
      if (last && saysPublished(last, event, this.#foreign)) return last
      const outgoing = { subject, payload, messageId: event.id, headers, lastSequence: last?.seq ?? 0 }
      try {
        const { seq } = await publishTraced(outgoing, parent, () => publish(this.#bus, outgoing))
        const stored = { seq, id: event.id, revision: event.revision }
        this.#last.set(subject, stored)
        return stored
      } catch (err) {
        if (!isWrongSequence(err)) throw err
      }
      last = await this.#lookUp(subject)
    }
  }

  /** Whether the event is in EVENTS in its place among those of its aggregate, or is never published. */
  async isPublished(event: StoredEvent): Promise<boolean> {
    const subject = eventSubject(event.type, aggregateIdOf(event.stream))
    if (subject === undefined) return true
    const last = await this.#lookUp(subject)
    return last !== undefined && last.revision >= 0 && saysPublished(last, event, this.#foreign)
  }

  async #lookUp(subject: string): Promise<LastMessage | undefined> {
    const last = await lastOfSubject(this.#bus, subject)
    if (last) this.#last.set(subject, last)
    return last
  }
}
