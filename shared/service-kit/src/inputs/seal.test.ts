import t from 'tap'
import { newSealKey, seal, unseal } from './seal.ts'

t.test('what is sealed is read with its key and name only, and every changed byte is found', async (t) => {
  const [key, plain] = [newSealKey(), Buffer.from('a text of a person')]
  const sealed = seal(plain, key, 'inputs/a')
  t.notOk(sealed.includes(plain))
  t.strictSame(unseal(sealed, key, 'inputs/a'), plain)
  t.notSame(seal(plain, key, 'inputs/a'), sealed, 'its nonce is another one each time')
  t.strictSame(unseal(seal(Buffer.alloc(0), key, 'e'), key, 'e'), Buffer.alloc(0))
  t.throws(() => unseal(sealed, newSealKey(), 'inputs/a'))
  t.throws(() => unseal(sealed, key, 'inputs/b'))
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    t.throws(() => unseal(changed, key, 'inputs/a'), `byte ${at}`)
  }
  for (const length of [0, 1, 28, sealed.length - 1])
    t.throws(() => unseal(sealed.subarray(0, length), key, 'inputs/a'))
})
