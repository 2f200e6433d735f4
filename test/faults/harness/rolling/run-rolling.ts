import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Fault } from './evidence.ts'
import { inflict, type NamedFault, processFaults } from './nemesis.ts'
import { seeded } from './seeded.ts'
import { startSystem } from './system.ts'
import { Turns } from './turns.ts'
import { startWorkload } from './workload.ts'

export interface RollingOptions {
  seed: number
  runs: number
  say: (line: string) => void
}

const warmUpMs = 5_000

const killed = (service: 'gateway' | 'template'): NamedFault => ({
  name: `a ${service} is killed`,
  async inflict({ system: { targets }, random }) {
    const target = random.pick(targets.filter((one) => one.service === service))
    await target.kill()
    await target.start()
  },
})

/**
 * Requests of every kind while one process at a time is stopped or killed: there is another one of each service, so no
 * request is answered with a 5xx. A request to a gateway that is away gets no answer. Whether all runs were clean.
 */
export async function runRolling({ seed, runs, say }: RollingOptions): Promise<boolean> {
  let clean = 0
  for (let run = 0; run < runs; run++) {
    const { answers, faults, ms } = await oneRun(seed + run)
    const wrong = answers.filter(({ status }) => status !== 'cut' && status >= 500)
    if (wrong.length === 0) clean += 1
    const cut = answers.filter(({ status }) => status === 'cut').length
    const rate = Math.round(answers.length / (ms / 1_000))
    say(
      `seed ${seed + run}: ${answers.length} requests, ${rate} a second, ${cut} without an answer, ${wrong.length} × 5xx`,
    )
    for (const { atMs, ms, gateway, request, status, code } of wrong)
      say(
        `  ${new Date(atMs).toISOString()} ${gateway}: ${request}: ${status} ${code} after ${ms} ms, ${during(faults, atMs)}`,
      )
  }
  say(`${clean} of ${runs} runs had no 5xx`)
  return clean === runs
}

async function oneRun(seed: number): Promise<{ answers: Answer[]; faults: Fault[]; ms: number }> {
  const say = () => {}
  await using system = await startSystem({ single: false, engines: 'networked', say })
  const workload = await startWorkload(system, seed, { withRefusals: false })
  await using _ = workload.receiver
  const startedMs = Date.now()
  const mayEnd = new AbortController()
  const loaded = workload.run(0, mayEnd.signal)
  const faults: Fault[] = []
  try {
    await delay(warmUpMs)
    const rolling = processFaults.filter(({ name }) => name === 'a rolling restart')
    const scene = { system, workload, random: seeded(seed).fork('rolling'), patience: 1, turns: new Turns() }
    await inflict([...rolling, killed('gateway'), killed('template')], scene, (fault) => faults.push(fault))
  } finally {
    mayEnd.abort()
    await loaded
  }
  return { answers: workload.client.answers, faults, ms: Date.now() - startedMs }
}

function during(faults: readonly Fault[], atMs: number): string {
  const fault = faults.find((one) => one.atMs <= atMs && one.endedMs >= atMs)
  return fault ? `while ${fault.name}` : 'between'
}
