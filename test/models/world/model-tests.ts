import type { Test } from 'tap'
import { type Found, lines, type Model, search } from './search.ts'

/** `node test/models/slug.test.ts --deep` looks at all states of most models, which takes minutes. */
export const isDeep = process.argv.includes('--deep')

const maxDepth = 1_000
const maxStates = isDeep ? 100_000 : 4_000

/** Searches the model and prints how much was seen. `fewStates`: a bound for `npm test`. */
export async function holds(t: Test, model: Model, fewStates = maxStates): Promise<void> {
  const found = await search(model, { states: isDeep ? maxStates : fewStates, depth: maxDepth })
  t.comment(`${model.name}: ${summaryOf(found)}`)
  if (found.violation) t.comment(lines(found.violation.schedule))
  t.equal(found.violation?.message, undefined, `${model.name}: ${model.invariant}`)
  t.not(found.ends, 0, 'schedules come to an end')
}

/** Searches a model in which a guard is taken away: the search must find a schedule that breaks the invariant. */
export async function isFound(t: Test, mutation: string, { model, as }: { model: Model; as: RegExp }): Promise<void> {
  const found = await search(model, { states: maxStates, depth: maxDepth })
  t.comment(`${mutation}: found after ${summaryOf(found)}`)
  t.match(found.violation?.message ?? '', as, `${mutation}: the search finds what breaks`)
}

function summaryOf({ schedules, states, ends, depth, cut, ms }: Found): string {
  const rest = cut ? '; there are more' : '; all'
  return `${schedules} schedules, ${states} distinct states${rest}, ${ends} ends, up to ${depth} steps, ${ms} ms`
}
