import { randomUUID } from 'node:crypto'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import type { EventCatalogue } from './event-catalogue.ts'
import { unreadable, withCatalogue } from './with-catalogue.ts'

/** Version 2 of Renamed has `name`, which version 1 called `title`. */
const catalogue: EventCatalogue = {
  categories: new Set(['thing']),
  versionOf: (type) => (type === 'Renamed' ? 2 : 1),
  upcast({ type, data, metadata }) {
    if (type !== 'Renamed' || metadata.version === 2) return data
    const { title, ...rest } = data as { title: string }
    return { ...rest, name: title.trim() }
  },
  whyUnreadable: ({ stream, type, data }) =>
    !stream.startsWith('thing-') || type !== 'Renamed' || typeof (data as { name?: unknown }).name === 'string'
      ? undefined
      : 'it has no name',
}

t.test('an event of an earlier version is read as one of the newest, and a damaged one is ignored', async (t) => {
  await using temporary = await openTemporaryStore()
  const { log, text } = recordingLog()
  const store = withCatalogue(temporary.store, { catalogue, log })
  const event = (data: object) => ({ id: randomUUID(), type: 'Renamed', data: { ...data } })
  await temporary.store.append('thing-1', [event({ title: ' a ' }), event({ title: 5 }), event({ name: 'b' })], 'none')
  await store.append('thing-1', [event({ name: 'c' })], 2)
  const read: unknown[] = []
  for await (const { type, data } of store.readStream('thing-1')) read.push([type, data])
  t.strictSame(read, [
    ['Renamed', { name: 'a' }],
    [unreadable, null],
    [unreadable, null],
    ['Renamed', { name: 'c' }],
  ])
  for await (const { type, data } of store.readStream('thing-1', { withoutData: true })) {
    t.strictSame([type, data], ['Renamed', null], 'data that is not read is not checked')
  }
  t.match(text(), 'cannot be converted to the newest version')
  for await (const last of temporary.store.readStream('thing-1', { from: 3 })) {
    t.equal(last.metadata.version, 2, 'the version is recorded')
  }
  await temporary.store.append('invoice-1', [event({ title: 5 })], 'none')
  for await (const { type, data } of store.readStream('invoice-1')) {
    t.strictSame([type, data], ['Renamed', { title: 5 }], 'an event of another application stays as it is')
  }
})

t.test('an event that could not be read is refused, and nothing is appended', async (t) => {
  await using temporary = await openTemporaryStore()
  const store = withCatalogue(temporary.store, { catalogue, log: recordingLog().log })
  const event = (data: object) => ({ id: randomUUID(), type: 'Renamed', data: { ...data } })
  await t.rejects(store.append('thing-1', [event({ name: 'a' }), event({ name: 5 })], 'none'), {
    name: 'UnreadableEvent',
    message: 'Renamed cannot be appended to thing-1: it has no name',
  })
  for await (const { type } of store.readStream('thing-1')) t.fail(type)
  await store.append('invoice-1', [event({ name: 5 })], 'none')
})
