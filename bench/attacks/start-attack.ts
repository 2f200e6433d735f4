import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Sent, Target } from './sender.ts'

export interface AttackThreadData {
  /** A module of this folder with `attacks`. */
  file: './abusers.ts' | './deniers.ts'
  name: string
  target: Target
}

/** Begins an attack in a thread of its own. The result ends it. */
export function startAttack(workerData: AttackThreadData): () => Promise<Sent> {
  const thread = new Worker(new URL('attack-thread.ts', import.meta.url), { workerData })
  return async () => {
    thread.postMessage('stop')
    const [sent]: Sent[] = await once(thread, 'message')
    if (!sent) throw new Error('the attack has no result')
    const wrong = [...sent.answers.keys()].filter((status) => /^40[0-6]$|^415$/.test(status))
    if (wrong.length > 0) throw new Error(`the attack “${workerData.name}” is no valid request: ${answersOf(sent)}`)
    return sent
  }
}

/** `200 12×, 429 3×`. */
export function answersOf({ answers }: Sent): string {
  return [...answers].map(([answer, count]) => `${answer} ${count}×`).join(', ')
}
