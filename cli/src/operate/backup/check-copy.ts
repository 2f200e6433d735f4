import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type CopiedLog, openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { erasedGenerations } from './why-gone.ts'

export interface CheckedCopy extends CopiedLog {
  erased: ReadonlySet<string>
}

/**
 * Reads every page of a copy of an event store, on a thread: a large file takes minutes, in which the lock in the
 * bucket must be renewed. Rejects if the file is damaged.
 */
export async function checkCopy(path: string): Promise<CheckedCopy> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { path } })
  // Rejects with what the thread has thrown.
  const [log] = await once(thread, 'message')
  return log
}

if (!isMainThread && parentPort !== null && typeof workerData?.path === 'string') {
  using copy = openEventCopy(workerData.path)
  parentPort.postMessage({ ...copy.check(), erased: erasedGenerations(copy) } satisfies CheckedCopy)
}
