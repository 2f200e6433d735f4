import { slotsOf } from './bottleneck.ts'
import { documentMs, fitCosts, rowsOf, scaled } from './costs.ts'
import type { Part, ScaleResult, ScaleRow } from './result.ts'

export interface Predicted {
  row: ScaleRow
  /** Documents a second that the slots of the renderers and the cores of the machine allow, without what other programs used. */
  rate: number
}

/**
 * Computes the rate of each run of all sizes from the costs of the paced ones: what cores or slots allow. The saturated runs are
 * not in the fit, so that they test it.
 */
export function predictRates(result: Pick<ScaleResult, 'rows' | 'machine'>): Predicted[] {
  const costs = fitCosts(result)
  return rowsOf(result, { deployment: scaled, workload: 'sync' }).map((row) => {
    const bySlots = row.printMs === 0 ? Number.POSITIVE_INFINITY : (slotsOf(row) * 1_000) / row.printMs
    const parts = Object.entries(costs)
    const restMs = parts.reduce((sum, [part, cost]) => sum + cost.restMs * (row.parts[part as Part]?.processes ?? 0), 0)
    const cpuMs = parts.reduce((sum, [, cost]) => sum + documentMs(cost, row.size), 0)
    const byCores = (result.machine.cores * 1_000 * (1 - row.usedByOthers) - restMs) / cpuMs
    return { row, rate: Math.min(bySlots, byCores) }
  })
}
