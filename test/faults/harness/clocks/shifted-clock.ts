/** Loaded before a process: its clock is ahead by as many ms as the file says that SHIFTED_CLOCK names, or behind. */
import { readFileSync } from 'node:fs'

const lookEveryMs = 100
const file = process.env.SHIFTED_CLOCK ?? ''
const RealDate = Date
let aheadMs = 0

function look(): void {
  try {
    aheadMs = Number(readFileSync(file, 'utf8'))
  } catch {
    aheadMs = 0
  }
}

class ShiftedDate extends RealDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(ShiftedDate.now())
    else super(...(given as [string]))
  }
  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

look()
setInterval(look, lookEveryMs).unref()
Object.assign(globalThis, { Date: ShiftedDate })
