/**
 * - `unavailable`: status 503 without reading the body
 * - `full`: status 507, with the code and message of MinIO
 * - `text`: status 400 with a text, as of a TLS server that gets plain HTTP
 * - `refuse`: the connection is reset before the response
 * - `reset`: the connection is reset after half of the body of a PUT or GET
 * - `cut`: like `reset`, but the connection is closed regularly
 * - `hang`: no response; the connection stays open
 * - `stall`: nothing more is sent or read after half of the body
 * - `whole`: the range of a GET is ignored
 * - `less`: only the first byte of the range of a GET is sent
 * - `html`: an HTML response, as of a proxy
 */
export type FaultKind =
  | 'unavailable'
  | 'full'
  | 'text'
  | 'refuse'
  | 'reset'
  | 'cut'
  | 'hang'
  | 'stall'
  | 'whole'
  | 'less'
  | 'html'

export interface Fault {
  kind: FaultKind
  /** Default: any method. */
  method?: 'GET' | 'PUT' | 'HEAD' | 'DELETE'
  /** A part of the path. Default: any path, also that of the probe by which a client checks the store. */
  of?: string
  /** How many requests fail. Default: 1. */
  times?: number
}

/** The planned faults, in order. */
export class Faults {
  #planned: { fault: Fault; left: number }[] = []

  plan(fault: Fault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#planned = []
  }

  take(method: string, path: string): FaultKind | undefined {
    const isOf = ({ method: ofMethod, of = '' }: Fault) =>
      (ofMethod === undefined || ofMethod === method) && path.includes(of)
    const met = this.#planned.find(({ fault }) => isOf(fault))
    if (met === undefined) return undefined
    met.left -= 1
    if (met.left <= 0) this.#planned = this.#planned.filter((other) => other !== met)
    return met.fault.kind
  }
}
