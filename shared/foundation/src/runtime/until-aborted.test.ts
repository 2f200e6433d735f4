import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { untilAborted, untilAbortedWith } from './until-aborted.ts'

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

t.test('one signal ends several steps', async (t) => {
  const stop = new AbortController()
  const untilStopped = untilAbortedWith(stop.signal)
  t.equal(await untilStopped(Promise.resolve(1)), 1)
  const waiting = untilStopped(new Promise(() => {}))
  stop.abort(new Error('stopped'))
  await t.rejects(waiting, { message: 'stopped' })
  await t.rejects(untilStopped(delay(10_000, undefined, { ref: false })), { message: 'stopped' })
  await t.rejects(untilAbortedWith(stop.signal)(new Promise(() => {})), { message: 'stopped' })
})
