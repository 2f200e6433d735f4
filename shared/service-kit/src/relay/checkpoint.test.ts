import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openRelayCheckpoint } from './checkpoint.ts'

const at = (place: number) => String(place)

function givenCheckpoint(save: (position: string) => Promise<unknown> = async () => {}) {
  const saved: string[] = []
  const faults: unknown[] = []
  const checkpoint = openRelayCheckpoint<string>({
    withinMs: 100,
    async save(position) {
      saved.push(position)
      await save(position)
    },
    onFault: (err) => faults.push(err),
  })
  return { checkpoint, saved, faults }
}

t.test('a burst of positions is saved once', async (t) => {
  const { checkpoint, saved } = givenCheckpoint()
  for (let place = 1; place <= 100; place++) checkpoint.reached(at(place))
  t.strictSame(saved, [], 'no position is saved at once')
  await checkpoint[Symbol.asyncDispose]()
  t.strictSame(saved, [at(100)])
})

t.test('a position is saved after the delay without further calls', async (t) => {
  const { checkpoint, saved } = givenCheckpoint()
  checkpoint.reached(at(1))
  while (saved.length === 0) await sleep(10)
  checkpoint.reached(at(2))
  while (saved.length === 1) await sleep(10)
  t.strictSame(saved, [at(1), at(2)])
  await checkpoint[Symbol.asyncDispose]()
  t.equal(saved.length, 2, 'without a new position nothing is saved')
})

t.test('saves are made in order, and a failed one is followed by the next', async (t) => {
  const { checkpoint, saved, faults } = givenCheckpoint(async (position) => {
    if (position === at(1)) throw new Error('unavailable')
  })
  checkpoint.reached(at(1))
  while (saved.length === 0) await sleep(10)
  checkpoint.reached(at(2))
  await checkpoint[Symbol.asyncDispose]()
  t.strictSame(saved, [at(1), at(2)])
  t.match(faults, [{ message: 'unavailable' }])
})
