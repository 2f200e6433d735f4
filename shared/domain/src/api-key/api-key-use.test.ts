import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { recordApiKeyUse, recordSessionEnd } from './api-key-use.ts'

t.test('a use is recorded once an hour, also by concurrent gateways', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const uses = async (id: string) => {
    const found: unknown[] = []
    for await (const { data } of store.readStream(`keyuse-${id}`)) found.push((data as { at: string }).at)
    return found
  }
  const [noon, beforeOne, one] = ['12:00:00.000', '12:59:59.999', '13:00:00.000'].map((time) => `2026-01-31T${time}Z`)
  for (const at of [noon, beforeOne, one]) await recordApiKeyUse(store, 'key_1', at ?? '')
  t.strictSame(await uses('key_1'), [noon, one])
  await Promise.all(Array.from({ length: 5 }, () => recordApiKeyUse(store, 'key_2', noon ?? '')))
  t.strictSame(await uses('key_2'), [noon])
})

t.test('a session that has ended in between does not make a use due', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  await recordApiKeyUse(store, 'key_1', '2026-01-31T12:00:00.000Z')
  const ended = { session: 'a', until: new Date('2026-02-01'), metadata: operatorMetadata() }
  await recordSessionEnd(store, 'key_1', ended)
  await recordApiKeyUse(store, 'key_1', '2026-01-31T12:30:00.000Z')
  await recordApiKeyUse(store, 'key_1', '2026-01-31T13:00:00.000Z')
  const types: string[] = []
  for await (const { type } of store.readStream('keyuse-key_1')) types.push(type)
  t.strictSame(types, ['ApiKeyUsed', 'SessionEnded', 'ApiKeyUsed'])
})
