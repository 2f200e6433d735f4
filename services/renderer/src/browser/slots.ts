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

/** `size` places and one more that only interactive work takes, so that no batch backlog keeps a caller waiting. */
export function openSlots(size: number): Slots {
  const places: Record<Lane, number> = { interactive: size + 1, batch: size }
  const waiting: Record<Lane, Set<Waiting>> = { interactive: new Set(), batch: new Set() }
  const busy: Record<Lane, number> = { interactive: 0, batch: 0 }
  const free = (lane: Lane) => Math.max(0, places[lane] - busy.interactive - busy.batch)

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
