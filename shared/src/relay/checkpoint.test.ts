import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Position } from '../event-store/event-store.ts'
import { openRelayCheckpoint } from './checkpoint.ts'

const at = (place: number) => String(place) as Position

function givenCheckpoint(save: (position: Position) => Promise<unknown> = async () => {}) {
  const saved: Position[] = []
  const faults: unknown[] = []
  const checkpoint = openRelayCheckpoint({
    async save(position) {
      saved.push(position)
      await save(position)
    },
    onFault: (err) => faults.push(err),
  })
  return { checkpoint, saved, faults }
}

t.test('a burst is saved once, at its end', async (t) => {
  const { checkpoint, saved } = givenCheckpoint()
  for (let place = 1; place <= 100; place++) checkpoint.reached(at(place))
  t.strictSame(saved, [], 'not each')
  await checkpoint[Symbol.asyncDispose]()
  t.strictSame(saved, [at(100)])
})

t.test('one that goes on is saved meanwhile, without a word from anybody', async (t) => {
  const { checkpoint, saved } = givenCheckpoint()
  checkpoint.reached(at(1))
  while (saved.length === 0) await sleep(10)
  checkpoint.reached(at(2))
  while (saved.length === 1) await sleep(10)
  t.strictSame(saved, [at(1), at(2)])
  await checkpoint[Symbol.asyncDispose]()
  t.equal(saved.length, 2, 'nothing new, nothing saved')
})

t.test('saves keep their order, and one that fails is made up for by the next', async (t) => {
  const { checkpoint, saved, faults } = givenCheckpoint(async (position) => {
    if (position === at(1)) throw new Error('away')
  })
  checkpoint.reached(at(1))
  while (saved.length === 0) await sleep(10)
  checkpoint.reached(at(2))
  await checkpoint[Symbol.asyncDispose]()
  t.strictSame(saved, [at(1), at(2)])
  t.match(faults, [{ message: 'away' }])
})
