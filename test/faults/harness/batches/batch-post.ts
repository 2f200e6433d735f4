/** A batch that a client wants. It may be posted several times. */
export interface BatchPost {
  n: number
  /** All tries have one Idempotency-Key, so they make one batch at most. */
  keyed: boolean
  tries: number
  /** Ids in all 202 answers. */
  ids: string[]
  /** The text of each PDF, in order. */
  texts: string[]
  webhookUrl?: string
  /** The template, and the newest version that was acknowledged before the first try. */
  template?: { id: string; atLeast: number }
  /** A cancel was sent. */
  cancelled: boolean
  /** What the first answer that found the end said. */
  told?: { status: string; counts: Counts }
}

export interface Counts {
  completed: number
  failed: number
  cancelled: number
}

/** What a gateway says of a batch when all work has ended. */
export interface BatchRead {
  id: string
  gateway: string
  httpStatus: number
  status?: string
  counts?: Counts
  items: { index: number; generation_id: string; status: string }[]
  /** The texts of its PDFs in their order; absent if it was not asked for. */
  zip?: { httpStatus: number; texts: string[] }
  merged?: { httpStatus: number; texts: string[] }
}
