import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t, { type Test } from 'tap'
import { followEvents } from './follow-events.ts'
import { filterOf } from './log-routes.ts'

async function givenFollower(t: Test, { aliveMs }: { aliveMs?: number } = {}) {
  const store = await openEventStore(`sqlite:${join(t.testdir({}), 'events.db')}`)
  const stop = new AbortController()
  t.teardown(async () => {
    stop.abort()
    await store.close()
  })
  const append = (type: string, data: object) =>
    store.append(`template-tpl_${randomUUID()}`, [{ id: randomUUID(), type, data: data as never }], 'none')
  const filter = filterOf({ category: 'template', type: 'TemplateCreated' })
  const followed = followEvents(store, { filter, after: 'end', signal: stop.signal, aliveMs })
  t.equal((await followed.next()).value, ': following\n\n')
  return { append, followed }
}

t.test('data with integers beyond those of a number are followed', async (t) => {
  const { append, followed } = await givenFollower(t)
  const next = followed.next()
  await append('TemplateCreated', { name: 'Large', sample_data: { account: 12345678901234567890n } })
  t.match((await next).value, /"sample_data":\{"account":12345678901234567890\}/)
})

t.test('a connection has a sign of life also while only events are recorded that it does not want', async (t) => {
  const { append, followed } = await givenFollower(t, { aliveMs: 300 })
  const next = followed.next()
  const result = { hasCome: false }
  void next.then(() => {
    result.hasCome = true
  })
  const until = performance.now() + 3_000
  while (!result.hasCome && performance.now() < until) {
    await append('TemplateDeleted', {})
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  t.ok(result.hasCome, 'within three seconds')
  if (result.hasCome) t.equal((await next).value, ': alive\n\n')
})
