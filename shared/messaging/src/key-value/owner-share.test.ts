import t from 'tap'
import type { LazyBucket } from './lazy-bucket.ts'
import { OwnerShare } from './owner-share.ts'

t.test('what was counted until a time leaves its room to others from then on', async (t) => {
  let nowMs = 0
  let revision = 0
  let value: string | undefined
  const bucket = {
    now: () => nowMs,
    freeBytes: async () => 1_000,
    readCurrent: async () => ({ value, revision }),
    async write(_key: string, content: string) {
      value = content
      return ++revision
    },
  } as unknown as LazyBucket
  const share = new OwnerShare(bucket, { name: 'bytes', periodMs: 100, bytesOfOne: 1, atMost: 10 })
  const take = (amount: number) => share.take({ ownerId: 'own_1', amount, untilMs: nowMs + 250 })
  t.equal(await take(10), true)
  t.equal(await take(1), false)
  // Its period ends at 300.
  nowMs = 299
  t.equal(await take(1), false)
  nowMs = 300
  t.equal(await take(10), true)
})
