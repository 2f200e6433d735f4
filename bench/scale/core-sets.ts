import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import type { Part } from './result.ts'

/** Which cores the units of a deployment have, one each in turn, and which the other programs have. */
export interface CoreSets {
  unit(index: number): string
  others: string
  all: string
  /** For people: `2 units on 0,1, others on 0,1`. */
  about: string
}

/**
 * The first `units` cores are for the units, and the rest for the event store, nats-server and the client. Where no core is
 * left, these share all of them.
 */
export function coreSets(units: number, cores = cpus().length): CoreSets {
  const all = Array.from({ length: cores }, (_, core) => core)
  const [own, left] = [all.slice(0, units), all.slice(units)]
  const others = (left.length === 0 ? all : left).join(',')
  return {
    unit: (index) => String(own[index % own.length]),
    others,
    all: all.join(','),
    about: `${units === 1 ? 'unit' : `${units} units`} on ${own.join(',')}, others on ${others}`,
  }
}

/** Programs that share cores. */
export interface CoreGroup {
  cores: number
  /** For people: `the cores of the machine`. */
  name: string
  has(part: Part): boolean
}

const ofUnits: readonly Part[] = ['Platen', 'gateway', 'renderer', 'relay', 'notifier', 'stand-in']

/** Who shares cores with whom in a run of so many units: see `coreSets`. */
export function coreGroups(units: number, cores: number): CoreGroup[] {
  if (units >= cores) return [{ cores, name: 'the cores of the machine', has: () => true }]
  return [
    { cores: units, name: 'the core of each unit', has: (part) => ofUnits.includes(part) },
    { cores: cores - units, name: 'the cores of the other programs', has: (part) => !ofUnits.includes(part) },
  ]
}

/** All threads of a process, and those that it starts, run on these cores. Needs taskset of util-linux. */
export async function pin(pid: number, cores: string): Promise<void> {
  await promisify(execFile)('taskset', ['-a', '-c', '-p', cores, String(pid)])
}
