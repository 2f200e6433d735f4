import { slotsOf } from './bottleneck.ts'
import { coreGroups } from './core-sets.ts'
import { countOf, documentMs, type FittedCost, fitCosts, rowsOf, scaled } from './costs.ts'
import type { Part, ScaleResult, ScaleRow } from './result.ts'

export interface Predicted {
  row: ScaleRow
  /** Documents a second that the slots of the renderers and the cores allow, without what other programs used. */
  rate: number
}

/**
 * Computes the rate of each run of all sizes from what a document costs in the *other* runs of its pace: what cores or slots allow.
 * So each run tests the costs.
 */
export function predictRates({ rows, machine }: Pick<ScaleResult, 'rows' | 'machine'>): Predicted[] {
  return rowsOf({ rows }, { deployment: scaled, workload: 'sync' }).map((row) => {
    const others = rows.filter((other) => other !== row)
    const costs = Object.entries(fitCosts({ rows: others }, row.pace)) as [Part, FittedCost][]
    const bySlots = row.printMs === 0 ? Number.POSITIVE_INFINITY : (slotsOf(row) * 1_000) / row.printMs
    const byCores = coreGroups(row.size, machine.cores).map(({ cores, has }) => {
      const own = costs.filter(([part]) => has(part))
      const restMs = own.reduce((sum, [part, cost]) => sum + cost.restMs * (row.parts[part]?.processes ?? 0), 0)
      const cpuMs = own.reduce((sum, [part, cost]) => sum + documentMs(cost, countOf(part, row)), 0)
      return (cores * 1_000 * (1 - row.usedByOthers) - restMs) / cpuMs
    })
    return { row, rate: Math.min(bySlots, ...byCores) }
  })
}
