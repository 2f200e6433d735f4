import type { Lane } from '@platen/shared/contracts/subjects.ts'

/** Places for documents being printed. Whoever holds one gives it back by disposing of it. */
export interface Slots {
  /** Waits for a place; rejects with the signal's reason when it aborts first. */
  acquire(lane: Lane, signal: AbortSignal): Promise<Disposable>
}

interface Waiting {
  lane: Lane
  enter(): void
}

/** `size` places and one more that only interactive work takes, so that no batch backlog keeps a caller waiting. */
export function openSlots(size: number): Slots {
  const places: Record<Lane, number> = { interactive: size + 1, batch: size }
  const waiting: Record<Lane, Set<Waiting>> = { interactive: new Set(), batch: new Set() }
  let taken = 0

  const admit = () => {
    for (const lane of ['interactive', 'batch'] as const) {
      for (const next of waiting[lane]) {
        if (taken >= places[lane]) break
        waiting[lane].delete(next)
        taken += 1
        next.enter()
      }
    }
  }
  const place = (): Disposable => {
    let held = true
    return {
      [Symbol.dispose]() {
        if (held) taken -= 1
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
            resolve(place())
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting[lane].add(next)
        admit()
      })
    },
  }
}
