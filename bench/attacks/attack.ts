import { setTimeout as delay } from 'node:timers/promises'
import type { Send } from './sender.ts'

/** An attack of one caller on another, until the signal aborts. */
export interface Attack {
  name: string
  run(send: Send, signal: AbortSignal): Promise<void>
}

type Step = () => Promise<unknown>

interface Repetition {
  /** Steps at once. */
  connections?: number
  pauseMs?: number
}

/** Each connection begins its next step as soon as the last one has ended. */
export function repeating(
  name: string,
  prepare: (send: Send, signal: AbortSignal) => Step | Promise<Step>,
  { connections = 32, pauseMs = 0 }: Repetition = {},
): Attack {
  return {
    name,
    async run(send, signal) {
      const step = await prepare(send, signal)
      const work = async () => {
        for (; !signal.aborted; await delay(pauseMs, undefined, { signal }).catch(() => {})) await step()
      }
      await Promise.all(Array.from({ length: connections }, work))
    },
  }
}
