import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { collectAtRest } from './collect-at-rest.ts'

/** An unused array of 16 MB. */
const unused = () => new WeakRef(Array.from({ length: 2 ** 21 }, () => 0.5))
const collected = async (ref: WeakRef<object>) => {
  while (ref.deref() !== undefined) await sleep(20)
}

t.test('what a process does not need any more is collected when it has come to rest', async (t) => {
  using _collecting = collectAtRest(20)
  await collected(unused())
  const later = unused()
  // While the process works, nothing is collected.
  for (const end = performance.now() + 200; performance.now() < end; );
  t.ok(later.deref())
  await collected(later)
})

t.test('a process at rest collects once, and not for little garbage', async (t) => {
  let forced = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { flags } = (entry as PerformanceEntry & { detail: { flags: number } }).detail
      if (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) forced++
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  t.teardown(() => observer.disconnect())
  using _collecting = collectAtRest(20)
  while (forced === 0) await sleep(20)
  // More often than it looks.
  await sleep(500)
  t.equal(forced, 1)
})
