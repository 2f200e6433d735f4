import type { Priority } from '@platen/shared/contracts/subjects.ts'

/** Places for documents being printed. Whoever holds one gives it back by disposing of it. */
export interface Slots {
  /** Waits for a place; rejects with the signal's reason when it aborts first. */
  acquire(priority: Priority, signal: AbortSignal): Promise<Disposable>
  state(): SlotsState
}

export interface SlotsState {
  size: number
  /** Documents that hold a place. */
  busy: Record<Priority, number>
  /** Places that a document of that priority would find. */
  free: Record<Priority, number>
  waiting: Record<Priority, number>
}

interface Waiting {
  priority: Priority
  enter(): void
}

/** Callers seldom come alone: for this long after one, the next finds a core of its own. */
const keptFreeMs = 500

/**
 * `size` places and one more that only interactive work takes, so that no batch backlog keeps a caller waiting. Batch
 * work has all of the `size` places while nobody calls, and leaves one of them to callers while somebody does.
 */
export function openSlots(size: number): Slots {
  const waiting: Record<Priority, Set<Waiting>> = { interactive: new Set(), batch: new Set() }
  const busy: Record<Priority, number> = { interactive: 0, batch: 0 }
  let kept: NodeJS.Timeout | undefined
  const free = (priority: Priority) => {
    const inUse = busy.interactive + busy.batch
    if (priority === 'interactive') return Math.max(0, size + 1 - inUse)
    const forBatch = kept ? Math.max(1, size - 1) : size
    return Math.max(0, Math.min(size - inUse, forBatch - busy.batch))
  }
  const keepOneFree = () => {
    if (kept) return void kept.refresh()
    kept = setTimeout(() => {
      kept = undefined
      admit()
    }, keptFreeMs).unref()
  }

  const admit = () => {
    for (const priority of ['interactive', 'batch'] as const) {
      for (const next of waiting[priority]) {
        if (free(priority) === 0) break
        waiting[priority].delete(next)
        busy[priority] += 1
        next.enter()
      }
    }
  }
  const place = (priority: Priority): Disposable => {
    let held = true
    return {
      [Symbol.dispose]() {
        if (held) busy[priority] -= 1
        held = false
        if (priority === 'interactive') keepOneFree()
        admit()
      },
    }
  }

  return {
    acquire(priority, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          waiting[priority].delete(next)
          reject(signal.reason)
        }
        const next: Waiting = {
          priority,
          enter() {
            signal.removeEventListener('abort', leave)
            resolve(place(priority))
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        if (priority === 'interactive') keepOneFree()
        waiting[priority].add(next)
        admit()
      })
    },
    state: () => ({
      size,
      busy: { ...busy },
      free: { interactive: free('interactive'), batch: free('batch') },
      waiting: { interactive: waiting.interactive.size, batch: waiting.batch.size },
    }),
  }
}
