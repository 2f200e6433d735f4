import t from 'tap'
import { WakeUp } from './wake-up.ts'

const longMs = 600_000

t.test('a wait ends with wake, with its time and with the signal', async (t) => {
  const wakeUp = new WakeUp()
  const stop = new AbortController()
  const woken = wakeUp.wait(longMs, stop.signal)
  wakeUp.wake()
  await t.resolves(woken)
  await t.resolves(wakeUp.wait(1, stop.signal))
  const aborted = wakeUp.wait(longMs, stop.signal)
  stop.abort()
  await t.resolves(aborted)
  await t.resolves(wakeUp.wait(longMs, stop.signal))
})

t.test('a wake between two waits ends the next one, and only that', async (t) => {
  const { signal } = new AbortController()
  const wakeUp = new WakeUp()
  wakeUp.wake()
  wakeUp.wake()
  await wakeUp.wait(longMs, signal)
  let isOver = false
  const second = wakeUp.wait(longMs, signal).then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  t.equal(isOver, false)
  wakeUp.wake()
  await second
})
