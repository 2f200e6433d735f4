import { defined } from '@platen/foundation/json/defined.ts'
import { given } from '@platen/test-support/given.ts'
import t from 'tap'
import type { ApiKeyEvent } from './api-key-events.ts'
import { absentApiKey, apiKeyDecider, evolveApiKey } from './decide-api-key.ts'

const data = {
  name: 'Shop',
  owner_id: 'own_00000000000000000000000000',
  sha256: 'aa',
  prefix: 'pk_aaaa',
  scopes: ['generate' as const],
}
const issued: ApiKeyEvent = { type: 'ApiKeyIssued', data }
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: {} }
const rotated = (sha256: string, previous_until?: string): ApiKeyEvent => ({
  type: 'ApiKeyRotated',
  data: { sha256, prefix: `pk_${sha256}`, ...defined({ previous_until }) },
})
const until = '2026-01-31T12:00:00.000Z'
const state = (...events: ApiKeyEvent[]) => events.reduce(evolveApiKey, absentApiKey)

t.test('a key is issued once, and cannot be rotated after it was revoked', async (t) => {
  const key = (...events: ApiKeyEvent[]) => given(t, apiKeyDecider('key_1'), events)
  key().when({ type: 'IssueApiKey', data }).then([issued])
  key(issued, revoked).when({ type: 'IssueApiKey', data }).then([])
  key(issued).when({ type: 'RevokeApiKey', data: {} }).then([revoked])
  key(issued, revoked).when({ type: 'RevokeApiKey', data: {} }).then([])
  key(issued)
    .when({ type: 'RotateApiKey', data: rotated('bb').data as never })
    .then([rotated('bb')])
  key(issued, revoked)
    .when({ type: 'RotateApiKey', data: rotated('bb').data as never })
    .refused('CONFLICT')
  key().when({ type: 'RevokeApiKey', data: {} }).refused('API_KEY_NOT_FOUND')
})

t.test('a rotation changes the secret only, and keeps the one before if it is asked to', async (t) => {
  const { sha256: _, prefix: __, ...rest } = state(issued) as object as { sha256: string; prefix: string }
  t.match(state(issued, rotated('bb')), { ...rest, sha256: 'bb', prefix: 'pk_bb' })
  t.notOk('previous' in state(issued, rotated('bb', until), rotated('cc')))
  t.match(state(issued, rotated('bb'), rotated('cc', until)), { sha256: 'cc', previous: [{ sha256: 'bb', until }] })
})

t.test('a rotation keeps the secrets that an earlier one has kept, not for longer', async (t) => {
  const [sooner, later] = ['2026-01-31T11:00:00.000Z', '2026-01-31T13:00:00.000Z']
  const before = [issued, rotated('bb', until)]
  const previous = (...events: ApiKeyEvent[]) => Object(state(...before, ...events)).previous
  t.strictSame(previous(rotated('cc', later)), [
    { sha256: 'bb', until: later },
    { sha256: 'aa', until },
  ])
  t.strictSame(previous(rotated('cc', sooner)), [
    { sha256: 'bb', until: sooner },
    { sha256: 'aa', until: sooner },
  ])
  t.equal(previous(rotated('cc', later), rotated('dd')), undefined)
  const many = Array.from({ length: 50 }, (_, at) => rotated(`${at}`, later))
  t.equal(previous(...many).length, 10)
})
