import { setTimeout as delay } from 'node:timers/promises'

/** What is going to happen happens long before, unless the machine is very busy. */
const withinMs = 120_000
const stepMs = 20

/** Looks again and again until there is something to see, and gives it. */
export async function until<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
  failure: string | (() => string | Promise<string>),
): Promise<Value> {
  for (const deadline = Date.now() + withinMs; ; await delay(stepMs)) {
    const seen = await look()
    if (seen !== undefined) return seen
    if (Date.now() > deadline) throw new Error(typeof failure === 'string' ? failure : await failure())
  }
}
