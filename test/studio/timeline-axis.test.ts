import t from 'tap'
import { timelineAxis } from '../../studio/src/pages/generations/timeline-axis.ts'

const day = 86_400_000

t.test('without a gap the axis is linear', async (t) => {
  const axis = timelineAxis([
    { startMs: 0, endMs: 100 },
    { startMs: 100, endMs: 400 },
  ])
  t.same([axis.placeOf(0), axis.placeOf(100), axis.placeOf(400)], [0, 0.25, 1])
  t.same(
    axis.segments.map(({ kind }) => kind),
    ['work'],
  )
  t.same(
    axis.ticks.map(({ ms }) => ms),
    [0, 100, 200, 300],
  )
})

t.test('days in which nothing was done take a twelfth of the width', async (t) => {
  const axis = timelineAxis([
    { startMs: 0, endMs: 200 },
    { startMs: 3 * day, endMs: 3 * day + 200 },
  ])
  t.same(
    axis.segments.map(({ kind, from, to }) => [kind, Number(from.toFixed(2)), Number(to.toFixed(2))]),
    [
      ['work', 0, 0.46],
      ['gap', 0.46, 0.54],
      ['work', 0.54, 1],
    ],
  )
  t.ok(axis.placeOf(100) < axis.placeOf(day) && axis.placeOf(day) < axis.placeOf(3 * day + 100))
})

t.test('no tick is where the length of a gap is written', async (t) => {
  const axis = timelineAxis([
    { startMs: 0, endMs: 200 },
    { startMs: 1_100, endMs: 1_300 },
  ])
  const gap = axis.segments.find(({ kind }) => kind === 'gap') ?? { from: 0, to: 0 }
  t.same(
    axis.ticks.filter(({ at }) => at > gap.from - 0.08 && at <= gap.to + 0.08),
    [],
  )
  t.ok(axis.ticks.some(({ at }) => at > gap.to))
})

t.test('many gaps leave half of the width to what was done', async (t) => {
  const attempts = Array.from({ length: 12 }, (_, at) => ({ startMs: at * day, endMs: at * day + 1_000 }))
  const axis = timelineAxis(attempts)
  const done = axis.segments.filter(({ kind }) => kind === 'work').reduce((sum, { from, to }) => sum + to - from, 0)
  t.equal(done.toFixed(2), '0.50')
  const places = attempts.map(({ startMs }) => axis.placeOf(startMs))
  t.same(
    places,
    places.toSorted((one, other) => one - other),
  )
})

t.test('what took no time has a place, and nothing at all has none', async (t) => {
  t.equal(timelineAxis([{ startMs: 0, endMs: 0 }]).placeOf(0), 0)
  t.same(timelineAxis([]).segments, [])
})
