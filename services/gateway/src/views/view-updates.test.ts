import t from 'tap'
import { ViewUpdates } from './view-updates.ts'

t.test('a value that is already there is returned at once', async (t) => {
  t.equal(await new ViewUpdates().waitFor('a', () => 1, { timeoutMs: 1_000 }), 1)
})

t.test('after the timeout the result is undefined', async (t) => {
  t.equal(await new ViewUpdates().waitFor('a', () => undefined, { timeoutMs: 10 }), undefined)
})

t.test('an update of the aggregate ends the wait once there is a value', async (t) => {
  const updates = new ViewUpdates()
  let value: number | undefined
  const waiting = updates.waitFor('a', () => value, { timeoutMs: 10_000 })
  updates.notify(['b'])
  updates.notify(['a'])
  value = 2
  updates.notify(['b', 'a'])
  t.equal(await waiting, 2)
})

t.test('an abort ends the wait without a value', async (t) => {
  const updates = new ViewUpdates()
  const stop = new AbortController()
  const options = { timeoutMs: 10_000, signal: stop.signal }
  const waiting = updates.waitFor('a', () => undefined, options)
  stop.abort()
  t.equal(await waiting, undefined)
  t.equal(await updates.waitFor('a', () => undefined, options), undefined, 'aborted before the call')
})
