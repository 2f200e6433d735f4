import t from 'tap'
import { SharedValue } from './shared-value.ts'

t.test('a value is read when it is asked for, once for all who ask, and not again for a while', async (t) => {
  let reads = 0
  let now = 0
  const read = async () => {
    await new Promise(setImmediate)
    return ++reads
  }
  const value = new SharedValue(read, 200, () => now)
  now += 250
  t.equal(reads, 0, 'nothing is read while nobody asks')
  t.strictSame(await Promise.all(Array.from({ length: 50 }, () => value.get())), Array(50).fill(1))
  now += 199
  t.equal(await value.get(), 1)
  now += 1
  t.equal(await value.get(), 2)
})

t.test('a failure is told to those who wait for it, and not kept', async (t) => {
  let reads = 0
  const value = new SharedValue(async () => {
    if (++reads === 1) throw new Error('no')
    return reads
  }, 1_000)
  await t.rejects(Promise.all([value.get(), value.get()]), { message: 'no' })
  t.equal(await value.get(), 2)
})

t.test('one that takes long is read less often', async (t) => {
  let reads = 0
  let now = 0
  const read = async () => {
    now += 50
    return ++reads
  }
  const value = new SharedValue(read, 1, () => now)
  await value.get()
  now += 999
  t.equal(await value.get(), 1, 'for twenty times as long as it took')
  now += 1
  t.equal(await value.get(), 2)
})
