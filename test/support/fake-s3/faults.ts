/**
 * - `unavailable`: status 503, the body unread
 * - `refuse`: the connection is reset before a word
 * - `reset`: the connection is reset half-way through the body, a PUT's or a GET's
 * - `cut`: the same, but the connection ends as if all were said
 * - `hang`: no word, the connection stays
 * - `stall`: silence half-way through the body of a GET
 * - `whole`: a GET's range is overlooked
 * - `html`: the answer of a proxy that knows no S3, as HTML
 */
export type FaultKind = 'unavailable' | 'refuse' | 'reset' | 'cut' | 'hang' | 'stall' | 'whole' | 'html'

export interface Fault {
  kind: FaultKind
  /** Absent: any. */
  method?: 'GET' | 'PUT' | 'HEAD' | 'DELETE'
  /** How many requests it meets: 1 if absent. */
  times?: number
}

/** What goes wrong next, in the order in which it was asked for. */
export class Faults {
  #planned: { fault: Fault; left: number }[] = []

  plan(fault: Fault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#planned = []
  }

  take(method: string | undefined): FaultKind | undefined {
    const met = this.#planned.find(({ fault }) => fault.method === undefined || fault.method === method)
    if (met === undefined) return undefined
    met.left -= 1
    if (met.left <= 0) this.#planned = this.#planned.filter((other) => other !== met)
    return met.fault.kind
  }
}
