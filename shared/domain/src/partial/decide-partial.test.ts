import { given } from '@platen/test-support/given.ts'
import t, { type Test } from 'tap'
import { partialDecider } from './decide-partial.ts'
import type { PartialCommand } from './partial.ts'
import type { PartialEvent } from './partial-events.ts'

const partial_id = 'prt_00000000000000000000000000'
const owner_id = 'own_default'
const create: PartialCommand = {
  type: 'CreatePartial',
  data: { partial_id, owner_id, name: 'letterhead', html: '<b>{{a}}</b>' },
}
const created: PartialEvent = { type: 'PartialCreated', data: { owner_id, name: 'letterhead', html: '<b>{{a}}</b>' } }
const updated = (html: string): PartialEvent => ({
  type: 'PartialUpdated',
  data: { owner_id, name: 'letterhead', html, created_at: '2026-01-31T12:00:00.000Z' },
})
const deleted: PartialEvent = { type: 'PartialDeleted', data: {} }
const update = (html: string, fields: object = {}): PartialCommand => ({
  type: 'UpdatePartial',
  data: { partial_id, owner_id, html, ...fields },
})
const remove = (fields: object = {}): PartialCommand => ({
  type: 'DeletePartial',
  data: { partial_id, owner_id, ...fields },
})

const partial = (t: Test, ...events: PartialEvent[]) => given(t, partialDecider, events)

t.test('a name is free until a partial is created, and again after its deletion', async (t) => {
  partial(t).when(create).then([created])
  partial(t, created).when(create).refused('CONFLICT')
  partial(t, created, deleted).when(create).then([created])
})

t.test('an update without a change records nothing', async (t) => {
  partial(t, created).when(update('<b>{{a}}</b>')).then([])
  partial(t, created)
    .when(update('x'))
    .then([updated('x')])
})

t.test('versions continue after a deletion', async (t) => {
  const again = [created, updated('x'), deleted, created]
  partial(t, ...again)
    .when(update('y', { if_version: 4 }))
    .then([updated('y')])
  partial(t, ...again)
    .when(update('y', { if_version: 1 }))
    .refused('PRECONDITION_FAILED')
})

t.test('a deleted partial and that of another owner do not exist', async (t) => {
  partial(t).when(update('x')).refused('PARTIAL_NOT_FOUND')
  partial(t, created, deleted).when(remove()).refused('PARTIAL_NOT_FOUND')
  partial(t, created)
    .when(remove({ owner_id: 'own_00000000000000000000000000' }))
    .refused('PARTIAL_NOT_FOUND')
  partial(t, created)
    .when(remove({ if_version: 2 }))
    .refused('PRECONDITION_FAILED')
  partial(t, created)
    .when(remove({ if_version: 1 }))
    .then([deleted])
})
