import { StoreUnavailable } from '@platen/event-store/event-store.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import type { CloudEvent } from '@platen/messaging/envelopes/cloud-event.ts'
import t from 'tap'
import { caughtUpView } from './caught-up-view.ts'

const newest = { subject: 'tpl_1' } as CloudEvent

/** A view that has caught up, or late, at each call; undefined: it has caught up. */
function viewWith({ late, showsNewest = false }: { late: (Error | undefined)[]; showsNewest?: boolean }) {
  const left = [...late]
  const wait = caughtUpView({
    category: 'template',
    untilCaughtUp: async () => {
      const err = left.shift()
      if (err) throw err
    },
    published: { newestOf: async () => newest },
    view: { shows: () => showsNewest },
  })
  return { wait, left }
}

const behind = () => new StoreUnavailable('The view is behind the log')

t.test('a view that catches up late is waited for', async (t) => {
  const { wait, left } = viewWith({ late: [behind(), undefined] })
  await wait()
  t.same(left, [])
})

t.test('a view that stays late is an error', async (t) => {
  await t.rejects(viewWith({ late: [behind(), behind()] }).wait(), StoreUnavailable)
})

t.test(
  'a view that shows the newest published event has caught up while the event store does not answer',
  async (t) => {
    const { wait, left } = viewWith({ late: [behind(), undefined], showsNewest: true })
    await wait()
    t.equal(left.length, 1, 'waited once')
  },
)

t.test('a server that does not tell the newest event is asked again', async (t) => {
  let calls = 0
  const wait = caughtUpView({
    category: 'template',
    untilCaughtUp: () => Promise.reject(behind()),
    published: {
      async newestOf() {
        calls += 1
        if (calls === 1) throw new BusUnavailable('NATS does not answer')
        return newest
      },
    },
    view: { shows: () => true },
  })
  await wait()
  t.equal(calls, 2)
})

t.test('an error that is no outage is thrown at once', async (t) => {
  const { wait, left } = viewWith({ late: [new TypeError('a defect'), undefined] })
  await t.rejects(wait(), TypeError)
  t.equal(left.length, 1)
})
