import { setTimeout as delay } from 'node:timers/promises'

/** What is going to happen happens long before, unless the machine is very busy. */
const withinMs = 120_000
/** Looked at often at first, and seldomer as it takes longer: to look costs processor time that others wait for. */
const firstStepMs = 20
const lastStepMs = 250

/** Looks again and again until there is something to see, and gives it. */
export async function until<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
  failure: string | (() => string | Promise<string>),
): Promise<Value> {
  const deadline = Date.now() + withinMs
  for (let stepMs = firstStepMs; ; stepMs = Math.min(stepMs * 1.2, lastStepMs)) {
    const seen = await look()
    if (seen !== undefined) return seen
    await delay(stepMs)
    if (Date.now() > deadline) throw new Error(typeof failure === 'string' ? failure : await failure())
  }
}
