import { getHeapSpaceStatistics } from 'node:v8'
import t from 'tap'
import { saveLittleMemory } from './little-memory.ts'

const newSpaceMb = () => {
  for (let kept: object[] = [], at = 0; at < 2_000_000; at++) {
    kept.push({ at })
    if (kept.length > 50_000) kept = []
  }
  return (getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0) / 2 ** 20
}

t.test('the heap stays small where memory is limited to 768 MB, and only there', async (t) => {
  t.equal(saveLittleMemory(0), undefined, 'no limit is known')
  t.equal(saveLittleMemory(2 ** 30), undefined)
  const large = newSpaceMb()
  t.equal(saveLittleMemory(512 * 2 ** 20), 512)
  const small = newSpaceMb()
  t.ok(small < large, `${small} MB after ${large} MB`)
})
