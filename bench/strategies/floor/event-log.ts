import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface RecordedEvent {
  /** Id of the generation. */
  id: string
  type: string
  /** JSON. */
  data: string
}

export interface EventLog extends AsyncDisposable {
  /** Resolves when the events of a generation are on disk. */
  append(id: string, events: readonly { type: string; data: object }[]): Promise<RecordedEvent[]>
}

interface Waiting {
  recorded: RecordedEvent[]
  stored: PromiseWithResolvers<void>
}

/**
 * An event log in SQLite, written by a thread as in Platen. The event loop waits for no disk, and events appended
 * during a transaction are written by the next one, with one flush for all.
 */
export async function openEventLog(folder: string): Promise<EventLog> {
  const thread = new Worker(join(import.meta.dirname, 'event-log-thread.ts'), { workerData: join(folder, 'events.db') })
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  thread.on('error', failed.reject)
  await Promise.race([once(thread, 'message'), failed.promise])
  let waiting: Waiting[] = []
  let writing: Waiting[] = []
  const write = () => {
    if (writing.length > 0 || waiting.length === 0) return
    writing = waiting
    waiting = []
    thread.postMessage(writing.map(({ recorded }) => recorded))
  }
  thread.on('message', () => {
    const written = writing
    writing = []
    write()
    for (const { stored } of written) stored.resolve()
  })
  return {
    async append(id, events) {
      const recorded = events.map(({ type, data }) => ({ id, type, data: JSON.stringify(data) }))
      const stored = Promise.withResolvers<void>()
      waiting.push({ recorded, stored })
      write()
      await Promise.race([stored.promise, failed.promise])
      return recorded
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}
