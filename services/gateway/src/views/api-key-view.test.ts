import { DatabaseSync } from 'node:sqlite'
import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { apiKeyId, hashApiKey } from '@platen/domain/api-key/api-keys.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { apiKeyView } from './api-key-view.ts'
import { viewSchema } from './open-views.ts'

t.test('a revoked or replaced key is not accepted, and is still known as one', async (t) => {
  const db = new DatabaseSync(':memory:')
  db.exec(viewSchema.tables)
  const view = apiKeyView(db)
  let revision = 0
  const apply = (type: string, data: Json) => {
    const of = { stream: `apikey-${apiKeyId('the first text')}`, position: '0' as Position, metadata: {} }
    view.apply({ ...of, id: crypto.randomUUID(), revision: revision++, recordedAt: new Date(), type, data })
  }
  const states = () =>
    ['the first text', 'the second text', 'another text'].map((key) => [
      view.findByKey(key) !== undefined,
      view.wasIssued(key),
    ])
  const prefix = 'the'
  const key = { owner_id: 'own_default', name: 'x', prefix, scopes: [...allScopes] }
  apply('ApiKeyIssued', { ...key, sha256: hashApiKey('the first text') })
  t.same(states(), [
    [true, true],
    [false, false],
    [false, false],
  ])
  apply('ApiKeyRotated', { sha256: hashApiKey('the second text'), prefix })
  t.same(states(), [
    [false, true],
    [true, true],
    [false, false],
  ])
  apply('ApiKeyRevoked', {})
  t.same(states(), [
    [false, true],
    [false, true],
    [false, false],
  ])
})
