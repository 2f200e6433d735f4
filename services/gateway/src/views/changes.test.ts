import t from 'tap'
import { openChanges } from './changes.ts'

t.test('until', async (t) => {
  const changes = openChanges()
  t.equal(await changes.until('a', () => 1, { timeoutMs: 1_000 }), 1, 'what is there is not waited for')
  t.equal(await changes.until('a', () => undefined, { timeoutMs: 10 }), undefined, 'time is over')

  let value: number | undefined
  const waiting = changes.until('a', () => value, { timeoutMs: 10_000 })
  changes.announce(['b'])
  changes.announce(['a'])
  value = 2
  changes.announce(['b', 'a'])
  t.equal(await waiting, 2)

  const stop = new AbortController()
  const aborted = changes.until('a', () => undefined, { timeoutMs: 10_000, signal: stop.signal })
  stop.abort()
  t.equal(await aborted, undefined)
  t.equal(await changes.until('a', () => undefined, { timeoutMs: 10_000, signal: stop.signal }), undefined)
})
