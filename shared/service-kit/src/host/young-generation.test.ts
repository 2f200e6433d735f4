import { execFileSync } from 'node:child_process'
import t from 'tap'

/** The sizes of the young generation, in MB, of a process that keeps much of what it allocates. */
function youngMb(): number[] {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const { keepYoungGenerationSmall, letYoungGenerationGrow } =
      await import('${new URL('young-generation.ts', import.meta.url)}')
    const youngMb = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20
    const kept = []
    const work = () => {
      for (let at = 0; at < 8_000; at++) {
        for (let count = 0; count < 1_000; count++) kept.push({ at })
        if (kept.length > 2_000_000) kept.length = 0
      }
      return youngMb()
    }
    keepYoungGenerationSmall()
    const sizes = [youngMb(), work()]
    letYoungGenerationGrow()
    console.log(JSON.stringify([...sizes, work()]))`
  // The tests themselves run with a limit of the young generation.
  const env = { ...process.env, NODE_OPTIONS: '' }
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env }),
  )
}

t.test('the young generation stays small during a start, and may grow afterwards', async (t) => {
  const sizes = youngMb()
  const [first = 0, during = 0, after = 0] = sizes
  t.equal(first, 16)
  // A collection has pages of its own while it runs. V8 would double the size.
  t.ok(during < 32 && after > during, `${sizes.join(', ')} MB`)
})
