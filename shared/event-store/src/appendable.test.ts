import { randomUUID } from 'node:crypto'
import t from 'tap'
import { appendBytes, assertAppendable } from './appendable.ts'
import { maxAppendBytes } from './event-store.ts'

const event = (data = '') => ({ id: randomUUID(), type: 'NoteTaken', data })

t.test('an append may have 1,000,000 bytes', async (t) => {
  const free = maxAppendBytes - appendBytes([event()])
  t.doesNotThrow(() => assertAppendable('note-a', [event('x'.repeat(free))], 'any'))
  t.throws(() => assertAppendable('note-a', [event('x'.repeat(free + 1))], 'any'), { name: 'AppendTooLarge' })
  t.throws(() => assertAppendable('note-a', [event('é'.repeat(free / 2 + 1))], 'any'), { name: 'AppendTooLarge' })
})

t.test('invalid names, ids and expected revisions are refused', async (t) => {
  t.throws(() => assertAppendable('note', [event()], 'any'), { name: 'InvalidName' })
  t.throws(() => assertAppendable('note-a', [{ ...event(), id: 'evt_1' }], 'any'), { name: 'InvalidName' })
  t.throws(() => assertAppendable('note-a', [{ ...event(), id: randomUUID().toUpperCase() }], 'any'), {
    name: 'InvalidName',
  })
  for (const expected of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => assertAppendable('note-a', [event()], expected), RangeError, String(expected))
  }
  t.throws(() => assertAppendable('note-a', [], 'any'), RangeError)
})
