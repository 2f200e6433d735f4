import { label } from '../documents/label.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** Without a warm-up, Node.js needs twice as long for a label. After about four hundred labels their code is compiled. */
const enoughLabels = 400
/** The warm-up of slow strategies is short, because they do not measure compiled code of Node.js. */
const longestMs = 8_000

/** Prints labels with each, so that what is measured is not the compiler. */
export async function warmUp(strategies: readonly Strategy[], labels = enoughLabels): Promise<void> {
  const document = label()
  for (const strategy of strategies) {
    const concurrency = Math.max(...strategy.concurrency)
    await strategy.prepare?.(document, concurrency)
    const endAt = performance.now() + longestMs
    let started = 0
    const work = async (worker: number) => {
      while (started++ < labels && performance.now() < endAt) await strategy.render(document, worker)
    }
    await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)))
  }
}
