import t from 'tap'
import { UnreadFiles } from './unread-files.ts'

const minuteMs = 60_000

function given() {
  const state = { nowMs: 0, isAway: false }
  const files = new UnreadFiles({
    check: async () => {
      if (state.isAway) throw new Error('away')
    },
    now: () => state.nowMs,
    firstPauseMs: 5_000,
    maxPauseMs: 5 * minuteMs,
    lostAfterMs: 60 * minuteMs,
  })
  /** The pauses until the attempt ends, or a number of them. */
  const putOff = async (key: string, most = 1_000) => {
    const pauses: number[] = []
    while (pauses.length < most) {
      const pause = await files.putOff(key)
      if (pause === undefined) break
      pauses.push(pause)
      state.nowMs += pause
    }
    return pauses
  }
  return { state, files, putOff }
}

t.test('an attempt whose file cannot be read for an hour, while the store can be used, ends', async (t) => {
  const { state, putOff } = given()
  const pauses = await putOff('msg_a.1')
  t.strictSame(
    pauses.slice(0, 8),
    [5, 10, 20, 40, 80, 160, 300, 300].map((s) => 1_000 * s),
  )
  t.ok(state.nowMs >= 60 * minuteMs && state.nowMs < 65 * minuteMs, `${state.nowMs} ms`)
  t.equal((await putOff('msg_a.2', 1))[0], 5_000, 'the next attempt begins anew')
})

t.test('an outage of the store ends no attempt, however long it takes', async (t) => {
  const { state, putOff } = given()
  await putOff('msg_a.1', 15)
  state.isAway = true
  t.equal((await putOff('msg_a.1', 100)).length, 100)
  state.isAway = false
  t.ok((await putOff('msg_a.1')).length >= 12, 'the hour begins when the store is back')
})

t.test('an attempt that was made is forgotten', async (t) => {
  const { state, files, putOff } = given()
  await putOff('msg_a.1', 4)
  files.wasMade('msg_a.1')
  t.strictSame(await putOff('msg_a.1', 2), [5_000, 10_000])
  // Another notifier made it. This one forgets it with the next fault.
  state.nowMs += 61 * minuteMs
  await putOff('msg_b.1', 1)
  t.strictSame(await putOff('msg_a.1', 1), [5_000])
})
