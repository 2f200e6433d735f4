import { setTimeout as delay } from 'node:timers/promises'

/** Long enough for a busy machine. */
const withinMs = 120_000
/** The interval grows, because polling costs processor time. */
const firstStepMs = 20
const lastStepMs = 250

/** Polls until `look` returns a value. Rejects with `failure` after two minutes. */
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
