import t from 'tap'
import { msUntilBeat, onEachBeat, untilBeat } from './beat.ts'

t.test('all wait for the same moment, whenever they begin', async (t) => {
  for (const nowMs of [10_000, 11_234, 14_000, 14_499.5]) {
    t.ok(Math.abs(nowMs + msUntilBeat(5_000, nowMs) - 15_000) < 1, `from ${nowMs}`)
  }
  t.ok(
    Math.abs(14_000 + msUntilBeat(2_500, 14_000) - 15_000) < 1,
    'beats of a longer period are also those of a part of it',
  )
})

t.test('a beat that a timer meets too early is not met again', async (t) => {
  t.equal(msUntilBeat(5_000, 14_999.4), 5_001)
  t.equal(msUntilBeat(5_000, 15_000.2), 5_000)
})

t.test('a wait ends with its signal, and the work when it is disposed of', async (t) => {
  const stop = new AbortController()
  const waiting = untilBeat(600_000, stop.signal)
  stop.abort()
  await waiting
  const twice = Promise.withResolvers<void>()
  let beats = 0
  const working = onEachBeat(20, () => {
    if (++beats === 2) twice.resolve()
  })
  const alive = setInterval(() => {}, 1_000)
  await twice.promise
  clearInterval(alive)
  working[Symbol.dispose]()
  const before = beats
  await untilBeat(60)
  t.equal(beats, before)
})
