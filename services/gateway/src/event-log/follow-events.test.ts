import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { readAll } from '@platen/event-store/suite/given-store.ts'
import { until } from '@platen/test-support/until.ts'
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
  const followed = followEvents(store, { filter, after: await store.end(), signal: stop.signal, aliveMs })
  t.equal((await followed.next()).value, ': following\n\n')
  return { store, append, followed }
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
  let hasCome = false
  void next.then(() => {
    hasCome = true
  })
  await until(async () => {
    await append('TemplateDeleted', {})
    return hasCome || undefined
  }, 'there is no sign of life')
  t.equal((await next).value, ': alive\n\n')
})

t.test('a connection has a sign of life also while events that it does not want come without a pause', async (t) => {
  const { store, append } = await givenFollower(t)
  await append('TemplateDeleted', {})
  const [event] = await readAll(store.readLog({ after: 'start', categories: ['template'] }))
  async function* subscribe() {
    for (const endMs = performance.now() + 50; event && performance.now() < endMs; )
      yield { kind: 'event' as const, event }
  }
  const { signal } = new AbortController()
  const filter = filterOf({ category: 'template', type: 'TemplateCreated' })
  const followed = followEvents({ subscribe }, { filter, after: 'start', signal, aliveMs: 1 })
  await followed.next()
  t.equal((await followed.next()).value, ': alive\n\n')
})
