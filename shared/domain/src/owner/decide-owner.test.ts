import { given } from '@platen/test-support/given.ts'
import t from 'tap'
import { defaultOwnerId } from '../ids/owner-id.ts'
import { ownerDecider } from './decide-owner.ts'
import type { OwnerEvent } from './owner-events.ts'

const id = 'own_00000000000000000000000000'
const created: OwnerEvent = { type: 'OwnerCreated', data: { name: 'Acme' } }
const disabled: OwnerEvent = { type: 'OwnerDisabled', data: {} }
const rotated = (version: number): OwnerEvent => ({
  type: 'OwnerWebhookSecretRotated',
  data: { version, rotated_at: '2026-01-31T12:00:00.000Z' },
})
const rotate = { type: 'RotateOwnerWebhookSecret', data: { at: '2026-01-31T12:00:00.000Z' } } as const

t.test('a command that changes nothing records nothing', async (t) => {
  const owner = (...events: OwnerEvent[]) => given(t, ownerDecider(id), events)
  owner()
    .when({ type: 'CreateOwner', data: { name: 'Acme' } })
    .then([created])
  owner(created)
    .when({ type: 'CreateOwner', data: { name: 'Other' } })
    .then([])
  owner(created)
    .when({ type: 'RenameOwner', data: { name: 'Acme' } })
    .then([])
  owner(created).when({ type: 'DisableOwner', data: {} }).then([disabled])
  owner(created, disabled).when({ type: 'DisableOwner', data: {} }).then([])
  owner(created).when({ type: 'EnableOwner', data: {} }).then([])
  owner(created, disabled)
    .when({ type: 'EnableOwner', data: {} })
    .then([{ type: 'OwnerEnabled', data: {} }])
})

t.test('each rotation counts the version of the webhook secret', async (t) => {
  given(t, ownerDecider(id), [created])
    .when(rotate)
    .then([rotated(2)])
  given(t, ownerDecider(id), [created, rotated(2), disabled])
    .when(rotate)
    .then([rotated(3)])
})

t.test('only the default owner exists without events', async (t) => {
  given(t, ownerDecider(id), []).when(rotate).refused('OWNER_NOT_FOUND')
  given(t, ownerDecider(defaultOwnerId), [])
    .when(rotate)
    .then([rotated(2)])
})
