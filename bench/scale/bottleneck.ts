import { coreGroups } from './core-sets.ts'
import type { Part, PartCost, ScaleRow } from './result.ts'

/** Above this share something counts as full: a closed loop of clients has gaps between an answer and the next request. */
const full = 0.9

/** More documents are printed at once than there are slots, if clients wait for them: see `Slots` of the renderer. */
export const interactiveSlots = 1

export const slotsOf = ({ slots, size, workload }: Pick<ScaleRow, 'slots' | 'size' | 'workload'>): number =>
  size * (slots + (workload === 'sync' ? interactiveSlots : 0))

/** What was full in a run, with its share. If nothing was, the flushes and the requests between the parts took the time. */
export function bottleneckOf(row: ScaleRow, cores: number): string {
  const costs = Object.entries(row.parts) as [Part, PartCost][]
  const ofGroups = coreGroups(row.size, cores).map(({ cores, name, has }) => {
    const cpuMs = costs.reduce((sum, [part, cost]) => sum + (has(part) ? cost.cpuMs : 0), 0)
    return [name, (row.rate * cpuMs) / (1_000 * cores) + row.usedByOthers] as const
  })
  const shares = [
    ['the slots of the renderers', (row.rate * row.printMs) / (1_000 * slotsOf(row))] as const,
    ...ofGroups,
    [`the thread of a process: ${row.busiest.part}`, row.busiest.share] as const,
  ]
  const [what, share] = shares.reduce((most, one) => (one[1] > most[1] ? one : most))
  const shown = `${what} (${Math.round(Math.min(1, share) * 100)} %)`
  return share >= full ? shown : `nothing alone; most used: ${shown}`
}
