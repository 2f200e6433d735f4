import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { untilAborted } from './until-aborted.ts'

t.test('it settles like the work', async (t) => {
  const { signal } = new AbortController()
  t.equal(await untilAborted(Promise.resolve(1), signal), 1)
  await t.rejects(untilAborted(Promise.reject(new Error('failed')), signal), { message: 'failed' })
})

t.test('it rejects with the reason as soon as the signal aborts, and ignores what the work does later', async (t) => {
  const stop = new AbortController()
  const work = Promise.withResolvers<void>()
  const waiting = untilAborted(work.promise, stop.signal)
  stop.abort(new Error('stopped'))
  await t.rejects(waiting, { message: 'stopped' })
  await t.rejects(untilAborted(delay(10_000, undefined, { ref: false }), stop.signal), { message: 'stopped' })
  work.reject(new Error('too late'))
  await delay(1)
})
