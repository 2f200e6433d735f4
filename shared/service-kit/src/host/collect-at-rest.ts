import { performance } from 'node:perf_hooks'
import { onEachBeat } from '@platen/foundation/runtime/beat.ts'
import { garbageCollector } from './garbage-collector.ts'

const lookEveryMs = 5_000
/** A process is at rest while its event loop is busy for at most this part of the time. */
const atMost = 0.05
/** A collection takes as long for little garbage as for much. */
const worthMb = 8

/**
 * Collects garbage when the process has become idle after its start or a load. V8 collects only when memory is
 * allocated, so that an idle process would keep 60 MB of garbage for hours. It takes about as long as two documents.
 */
export function collectAtRest(everyMs = lookEveryMs): Disposable {
  const collect = garbageCollector()
  let keptMb = 0
  let before = performance.eventLoopUtilization()
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(before)
    const used = usedMb()
    keptMb = Math.min(keptMb, used)
    if (utilization <= atMost && used > keptMb + worthMb) {
      collect()
      keptMb = usedMb()
    }
    // The collection is not work: on a busy machine it takes long enough to look like it.
    before = performance.eventLoopUtilization()
  }
  return onEachBeat(everyMs, look)
}

function usedMb(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
