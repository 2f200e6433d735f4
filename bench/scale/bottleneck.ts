import type { ScaleRow } from './result.ts'

/** Above this share something counts as full: a closed loop of clients has gaps between an answer and the next request. */
const full = 0.9

/** More documents are printed at once than there are slots, if clients wait for them: see `Slots` of the renderer. */
export const interactiveSlots = 1

type Shares = Pick<ScaleRow, 'rate' | 'printMs' | 'slots' | 'size' | 'workload' | 'used' | 'usedByOthers' | 'busiest'>

export const slotsOf = ({ slots, size, workload }: Pick<ScaleRow, 'slots' | 'size' | 'workload'>): number =>
  size * (slots + (workload === 'sync' ? interactiveSlots : 0))

/** What was full in a run, with its share. If nothing was, the flushes and the requests between the parts took the time. */
export function bottleneckOf(row: Shares): string {
  const shares = {
    'the slots of the renderers': (row.rate * row.printMs) / (1_000 * slotsOf(row)),
    'the cores of the machine': row.used + row.usedByOthers,
    [`the thread of a process: ${row.busiest.part}`]: row.busiest.share,
  }
  const [most = ['', 0]] = Object.entries(shares).sort(([, one], [, other]) => other - one)
  const [what, share] = most
  const shown = `${what} (${Math.round(share * 100)} %)`
  return share >= full ? shown : `nothing alone; most used: ${shown}`
}
