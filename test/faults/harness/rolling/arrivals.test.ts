import t from 'tap'
import { arrive } from './arrivals.ts'

t.test('requests arrive although none is answered, up to a number that is reported', async (t) => {
  const stop = new AbortController()
  const answered = Promise.withResolvers<void>()
  const planned: number[] = []
  const arriving = arrive({
    perSecond: 500,
    mostInFlight: 10,
    signal: stop.signal,
    async send(plannedMs) {
      planned.push(plannedMs)
      // The moments go on when the limit is met.
      if (planned.length === 10) setTimeout(() => stop.abort(), 50)
      await answered.promise
    },
  })
  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
  answered.resolve()
  const { sent, leftOut, mostInFlight } = await arriving
  t.match({ sent, mostInFlight }, { sent: 10, mostInFlight: 10 })
  t.ok(leftOut > 0, `${leftOut} were left out`)
  const apart = planned.slice(1).map((ms, at) => Math.round(ms - (planned[at] ?? 0)))
  t.strictSame(new Set(apart), new Set([2]), 'each has a moment of its own, whenever it is sent')
})
