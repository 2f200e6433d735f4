import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from '../evidence.ts'
import type { Seeded } from '../seeded.ts'
import type { System, Target } from '../system.ts'

/** The end of a process, which is expected. */
export interface Ended {
  target: string
  how: 'killed' | 'stopped' | 'replaced'
  fromMs: number
  /** Another one is ready, or the process again. */
  untilMs: number
}

interface Scene {
  name: string
  act: (system: System, random: Seeded, end: End) => Promise<unknown>
}

type End = (target: Target, how: Ended['how']) => Promise<void>

const betweenMs = 1_000

const killOf = (service: 'gateway' | 'template'): Scene => ({
  name: `a ${service} is killed`,
  act: ({ targets }, random, end) => end(random.pick(targets.filter((one) => one.service === service)), 'killed'),
})

/** One process at a time, as a supervisor and an orchestrator do. */
export const scenes: readonly Scene[] = [
  {
    name: 'a rolling stop',
    async act({ targets }, _random, end) {
      for (const target of targets) await end(target, 'stopped')
    },
  },
  killOf('gateway'),
  {
    name: 'a rolling update',
    async act({ targets }, _random, end) {
      for (const target of targets) await end(target, 'replaced')
    },
  },
  killOf('template'),
]

/** One scene after the other. */
export async function play(system: System, random: Seeded): Promise<{ faults: Fault[]; ended: Ended[] }> {
  const ended: Ended[] = []
  const faults: Fault[] = []
  const end: End = async (target, how) => {
    const one: Ended = { target: target.name, how, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY }
    ended.push(one)
    if (how === 'killed') await target.kill()
    if (how === 'stopped') await target.stop()
    await (how === 'replaced' ? target.replace?.() : target.start())
    one.untilMs = Date.now()
  }
  for (const { name, act } of scenes) {
    const atMs = Date.now()
    await act(system, random, end)
    faults.push({ name, atMs, endedMs: Date.now(), met: true })
    await delay(betweenMs)
  }
  return { faults, ended }
}
