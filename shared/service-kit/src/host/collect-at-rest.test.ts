import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { collectAtRest } from './collect-at-rest.ts'

t.test('what a process does not need any more is collected when it has come to rest, once', async (t) => {
  using _collecting = collectAtRest(20)
  const collected = async (unused: WeakRef<object>) => {
    while (unused.deref() !== undefined) await sleep(20)
  }
  await collected(new WeakRef({}))
  // It has worked since: as long as the process works, nothing is collected.
  const later = new WeakRef({})
  for (const end = performance.now() + 200; performance.now() < end; );
  t.ok(later.deref())
  await collected(later)
})
