import { commandSubjects, streams } from '@platen/shared/contracts/subjects.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
import { requireConnected } from '../messaging/require-connected.ts'

/** A burst within this time is counted here instead of asked for. */
const freshMs = 250

export interface QueueDepth {
  /** Asynchronous generations that are queued or being rendered. Throws BusUnavailable. */
  batch(): Promise<number>
  /** One more was queued by this gateway. */
  added(): void
}

export function queueDepth(bus: Bus): QueueDepth {
  let known: { at: number; depth: Promise<number> } | undefined
  let addedSince = 0
  return {
    async batch() {
      if (!known || performance.now() - known.at > freshMs) {
        known = { at: performance.now(), depth: countBatch(bus) }
        addedSince = 0
        // What failed is asked for again the next time.
        known.depth.catch(() => {
          known = undefined
        })
      }
      return (await known.depth) + addedSince
    },
    added() {
      addedSince++
    },
  }
}

/** The renderer's consumer knows without listing every subject; while there is none, all that lies there waits. */
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
