import { commandSubjects, streams } from '@platen/shared/contracts/subjects.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
import { requireConnected } from '../messaging/require-connected.ts'

/** How long a count is reused. Generations added meanwhile are counted here. */
const maxAgeMs = 250

/** Counts the asynchronous generations that are queued or rendering. */
export class QueueDepth {
  readonly #bus: Bus
  #counted: { at: number; depth: Promise<number> } | undefined
  #added = 0

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** Throws BusUnavailable. */
  async batch(): Promise<number> {
    if (!this.#counted || performance.now() - this.#counted.at > maxAgeMs) {
      const depth = countBatch(this.#bus)
      this.#counted = { at: performance.now(), depth }
      this.#added = 0
      // A failed count is not reused.
      depth.catch(() => {
        this.#counted = undefined
      })
    }
    return (await this.#counted.depth) + this.#added
  }

  /** To be called when this gateway has queued a generation. */
  added(): void {
    this.#added++
  }
}

/** Asks for the renderer's consumer. Until there is one, every message of the stream is waiting. */
async function countBatch(bus: Bus): Promise<number> {
  const { jsm } = bus
  try {
    requireConnected(bus)
    for await (const consumer of jsm.consumers.list(streams.commands)) {
      if (consumer.config.filter_subject === commandSubjects.allRender('batch')) {
        return consumer.num_pending + consumer.num_ack_pending
      }
    }
    return (await jsm.streams.info(streams.commands)).state.messages
  } catch (err) {
    throw asBusUnavailable(err)
  }
}
