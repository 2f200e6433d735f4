import t from 'tap'
import { firstFree } from './first-free.ts'

/** Searches in numbers of which these are taken, and counts the questions. */
async function search(isTaken: (number: number) => boolean) {
  let asked = 0
  const found = await firstFree(async (number) => {
    asked++
    return !isTaken(number)
  })
  return { found, asked }
}

t.test('the first free number is found', async (t) => {
  for (let count = 0; count < 200; count++) t.equal((await search((number) => number <= count)).found, count + 1)
})

t.test('the first number is taken again as soon as it is free', async (t) => {
  t.equal((await search((number) => number > 1 && number < 100)).found, 1)
})

t.test('among a hundred thousand numbers few are asked for', async (t) => {
  const { found, asked } = await search((number) => number <= 100_000)
  t.equal(found, 100_001)
  t.ok(asked <= 34, `${asked} questions`)
})

t.test('a number that is found is free, whatever was freed', async (t) => {
  for (let seed = 1; seed < 100; seed++) {
    const isTaken = (number: number) => number < 500 && (number * 7_919 * seed) % 10 < 8
    t.notOk(isTaken((await search(isTaken)).found))
  }
})
