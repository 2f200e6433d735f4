import type { Worker } from 'node:worker_threads'

/** How many times as long a task may take, on a machine whose processors others use. */
const patience = 5

/**
 * Calls back when a thread has used `ms` of processor time for its task, of which the first quarter is not measured, or when `patience`
 * times as long has passed. Ends on disposal. A limit of time alone would refuse what is harmless on a busy machine.
 */
export function limitThread(thread: Pick<Worker, 'cpuUsage'>, ms: number, exceeded: () => void): Disposable {
  let isOver = false
  const end = () => {
    if (!isOver) exceeded()
  }
  // If this process was blocked, the result may have arrived unread: the event loop gets one more turn.
  const late = setTimeout(() => setImmediate(end), patience * ms)
  let atFirst: number | undefined
  const look = async () => {
    const used = await usedMs(thread)
    if (isOver || used === undefined) return
    atFirst ??= used
    const left = (3 / 4) * ms - (used - atFirst)
    // A thread that computes has a little less than the time that passes.
    if (left < ms / 10) setImmediate(end)
    else next = setTimeout(look, left)
  }
  let next = setTimeout(look, ms / 4)
  return {
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(late)
      clearTimeout(next)
    },
  }
}

/** Undefined when the thread has ended. */
async function usedMs(thread: Pick<Worker, 'cpuUsage'>): Promise<number | undefined> {
  try {
    const { user, system } = await thread.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return undefined
  }
}
