import t from 'tap'
import { OutageLog } from './outage-log.ts'

t.test('an outage is logged once for each cause, then in growing intervals, and at its end', async (t) => {
  let now = 0
  const lines: unknown[] = []
  const warn = (context: object, message: string) => lines.push([now, message, context])
  const log = new OutageLog({ warn } as never, 'event store', () => now)
  const refused = new Error('lost', { cause: new Error('refused') })
  for (; now < 100_000; now += 100) log.failed(refused)
  t.match(lines, [
    [0, 'event store unavailable, retrying', { err: refused }],
    [10_000, /retrying/, { for_s: 10 }],
    [20_000, /retrying/],
    [40_000, /retrying/],
    [80_000, /retrying/],
  ])
  t.equal(lines.length, 5)
  log.failed(new Error('lost', { cause: new Error('denied') }))
  t.match(lines.at(-1), [100_000, /retrying/, { err: { cause: { message: 'denied' } } }])
  log.recovered()
  log.recovered()
  t.match(lines.slice(6), [[100_000, 'event store available again', { after_s: 100 }]])
  log.failed(refused)
  t.equal(lines.length, 8, 'another outage is told at once')
})
