import t from 'tap'
import { Type } from 'typebox'
import { defineEvent, upcast, versionOf } from './define-event.ts'

const Renamed = defineEvent({
  type: 'Renamed',
  aggregate: { category: 'thing' },
  summary: 'A thing has another name.',
  data: Type.Object({ name: Type.String(), by: Type.String() }),
  upcasters: [({ title, ...data }) => ({ ...data, name: title ?? null }), (data) => ({ ...data, by: 'unknown' })],
  describe: ({ name }) => ['renamed', name],
  example: { id: 'thing_1', data: { name: 'a', by: 'b' } },
})

t.test('an event of each earlier version is read as one of the newest', async (t) => {
  t.equal(versionOf(Renamed), 3)
  const read = (data: object, version?: number) =>
    upcast(Renamed, { type: 'Renamed', data, metadata: version === undefined ? {} : { version } })
  t.same(read({ title: 'x' }), { name: 'x', by: 'unknown' })
  t.same(read({ name: 'x' }, 2), { name: 'x', by: 'unknown' })
  t.same(read({ name: 'x', by: 'y' }, 3), { name: 'x', by: 'y' })
  t.same(read({ name: 'x', by: 'y', more: 1 }, 9), { name: 'x', by: 'y', more: 1 }, 'a later version is unchanged')
})
