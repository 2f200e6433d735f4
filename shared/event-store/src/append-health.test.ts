import { OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '@platen/event-store/event-store.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { withAppendMetrics } from './append-metrics.ts'

t.test('the check fails while the store takes no events, and not for a concurrent change', async (t) => {
  await using temporary = await openTemporaryStore()
  let failure: Error | undefined
  const failing = storeWith(temporary.store, {
    append: (...args) => (failure ? Promise.reject(failure) : temporary.store.append(...args)),
  })
  const store = withAppendMetrics(failing, new Registry(), () => {})
  const append = () => store.append('generation-a', [{ id: crypto.randomUUID(), type: 'A', data: {} }], 'any')
  await append()
  await store.check()
  for (const err of [new StoreUnavailable('the disk is full'), new OutcomeUnknown('the disk is full')]) {
    failure = err
    await t.rejects(append(), err)
    await t.rejects(store.check(), { name: 'StoreUnavailable', message: /takes no events: the disk is full/ })
    failure = undefined
    await append()
    await store.check()
  }
  failure = new WrongExpectedRevision('generation-a', 'none', 0)
  await t.rejects(append())
  await t.resolves(store.check())
})
