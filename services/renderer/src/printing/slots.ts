import type { Lane } from '@platen/shared/contracts/subjects.ts'

/** Places for documents being printed. Whoever holds one gives it back by disposing of it. */
export interface Slots {
  /** Waits for a place; rejects with the signal's reason when it aborts first. */
  acquire(lane: Lane, signal: AbortSignal): Promise<Disposable>
  state(): SlotsState
}

export interface SlotsState {
  size: number
  /** Documents that hold a place. */
  busy: Record<Lane, number>
  /** Places that a document of that lane would find. */
  free: Record<Lane, number>
  waiting: Record<Lane, number>
}

interface Waiting {
  lane: Lane
  enter(): void
}

/** Callers seldom come alone: for this long after one, the next finds a core of its own. */
const keptFreeMs = 500

/**
 * `size` places and one more that only interactive work takes, so that no batch backlog keeps a caller waiting. Batch
 * work has all of the `size` places while nobody calls, and leaves one of them to callers while somebody does.
 */
export function openSlots(size: number): Slots {
  const waiting: Record<Lane, Set<Waiting>> = { interactive: new Set(), batch: new Set() }
  const busy: Record<Lane, number> = { interactive: 0, batch: 0 }
  let kept: NodeJS.Timeout | undefined
  const free = (lane: Lane) => {
    const inUse = busy.interactive + busy.batch
    if (lane === 'interactive') return Math.max(0, size + 1 - inUse)
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
    for (const lane of ['interactive', 'batch'] as const) {
      for (const next of waiting[lane]) {
        if (free(lane) === 0) break
        waiting[lane].delete(next)
        busy[lane] += 1
        next.enter()
      }
    }
  }
  const place = (lane: Lane): Disposable => {
    let held = true
    return {
      [Symbol.dispose]() {
        if (held) busy[lane] -= 1
        held = false
        if (lane === 'interactive') keepOneFree()
        admit()
      },
    }
  }

  return {
    acquire(lane, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          waiting[lane].delete(next)
          reject(signal.reason)
        }
        const next: Waiting = {
          lane,
          enter() {
            signal.removeEventListener('abort', leave)
            resolve(place(lane))
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        if (lane === 'interactive') keepOneFree()
        waiting[lane].add(next)
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
