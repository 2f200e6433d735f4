import { execFileSync } from 'node:child_process'
import t from 'tap'
import { saveLittleMemory } from './little-memory.ts'

/** The young generation of a process of its own during much work, on average: V8 makes it larger and smaller as it sees fit. */
function youngMbWith(limitMb: number): number {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const { saveLittleMemory } = await import('${new URL('little-memory.ts', import.meta.url)}')
    saveLittleMemory(${limitMb} * 2 ** 20)
    let [sum, looks] = [0, 0]
    for (let kept = [], at = 0; at < 4_000_000; at++) {
      kept.push({ at })
      if (kept.length > 200_000) kept = []
      if (at < 2_000_000 || at % 100_000 > 0) continue
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      sum += young.space_size
      looks++
    }
    console.log(Math.round(sum / looks / 2 ** 20))`
  // The tests themselves run with a limit of the young generation.
  const env = { ...process.env, NODE_OPTIONS: '' }
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env }))
}

t.test('the heap stays small where memory is limited to 768 MB, and only there', async (t) => {
  t.equal(saveLittleMemory(0), undefined, 'no limit is known')
  t.equal(saveLittleMemory(2 ** 30), undefined)
  const large = youngMbWith(1_024)
  const small = youngMbWith(512)
  t.ok(small < large, `${small} MB with little memory, ${large} MB else`)
})
