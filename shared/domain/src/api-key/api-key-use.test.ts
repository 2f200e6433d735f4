import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { recordApiKeyUse } from './api-key-use.ts'

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
