import t from 'tap'
import { SharedValue } from './shared-value.ts'

t.test('a value is read when it is asked for, once for all who ask, and not again for a while', async (t) => {
  let reads = 0
  const value = new SharedValue(async () => {
    await new Promise(setImmediate)
    return ++reads
  }, 200)
  await new Promise((resolve) => setTimeout(resolve, 250))
  t.equal(reads, 0, 'nothing is read while nobody asks')
  t.strictSame(await Promise.all(Array.from({ length: 50 }, () => value.get())), Array(50).fill(1))
  t.equal(await value.get(), 1)
  while ((await value.get()) === 1) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(reads, 2)
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
  const value = new SharedValue(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return ++reads
  }, 1)
  await value.get()
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.equal(await value.get(), 1, 'for twenty times as long as it took')
})
